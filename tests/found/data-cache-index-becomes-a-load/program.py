@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((8, 8), "int32")):
    for i, j in T.grid(8, 8):
        with T.block("b"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi * 8 + vj] + (vi * 8 + vj)
