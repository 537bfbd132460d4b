@T.prim_func
def main(B: T.Buffer((16,), "int32")):
    A = T.alloc_buffer((16,), "int32")
    for i in range(16):
        with T.block("a"):
            vi = T.axis.spatial(16, i)
            A[vi] = vi
    for i, j in T.grid(4, 4):
        with T.block("b"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi * 4 + vj] = A[vi * 4 + vj]
