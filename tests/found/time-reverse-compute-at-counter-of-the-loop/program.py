@T.prim_func
def main(A: T.Buffer((8,), "int32"), M: T.Buffer((2,), "int32"), C: T.Buffer((8,), "int32")):
    S = T.alloc_buffer((8,), "int32")
    for i in range(8):
        with T.block("p"):
            vi = T.axis.spatial(8, i)
            S[vi] = A[vi]
        M[0] = M[0] + 1
    for i in range(8):
        with T.block("c"):
            vi = T.axis.spatial(8, i)
            C[vi] = S[vi] + M[0]
