@T.prim_func
def main(A: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32")):
    S = T.alloc_buffer((8,), "int32")
    R = T.alloc_buffer((8,), "int32")
    V = T.decl_buffer((4,), "int32", data=R.data, strides=[2])
    for i in range(8):
        with T.block("p"):
            vi = T.axis.spatial(8, i)
            S[vi] = A[vi]
    for i in range(4):
        with T.block("z"):
            vi = T.axis.spatial(4, i)
            V[vi] = 0
    for i in range(8):
        with T.block("c"):
            vi = T.axis.spatial(8, i)
            C[vi] = S[vi]
