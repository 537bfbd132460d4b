@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), O: T.Buffer((64,), "int32")):
    for i in range(64):
        with T.block("P"):
            vi = T.axis.opaque(64, i)
            B[(vi * 3) % 64] = A[vi]
        with T.block("C"):
            v = T.axis.spatial(64, i * 3 % 64)
            O[v] = B[v] + 1
