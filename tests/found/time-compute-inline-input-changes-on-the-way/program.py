@T.prim_func
def main(A: T.Buffer((9,), "int32"), C: T.Buffer((8,), "int32")):
    S = T.alloc_buffer((8,), "int32")
    for i in range(8):
        with T.block("p"):
            vi = T.axis.spatial(8, i)
            S[vi] = A[vi] * 2
    for i in range(8):
        with T.block("c"):
            vi = T.axis.spatial(8, i)
            C[vi] = S[vi]
            A[vi + 1] = 0
