@T.prim_func
def main(A: T.Buffer((10,), "int32"), C: T.Buffer((4, 4), "int32")):
    S = T.decl_buffer((10,), "int32")
    with T.allocate_const([1], "int32", [1]) as k:
        K = T.decl_buffer((1,), "int32", data=k)
        for u in range(T.min(K[0], 1)):
            for i in range(4):
                for a in range(4):
                    with T.block("p"):
                        vi = T.axis.opaque(10, i * 2 + a)
                        S[vi] = A[vi] * 3
                for j in range(4):
                    with T.block("c"):
                        vi = T.axis.opaque(4, i)
                        vj = T.axis.opaque(4, j)
                        C[vi, vj] = S[vi * 2 + vj]
