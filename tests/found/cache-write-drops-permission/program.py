@T.prim_func
def main(B: T.Buffer((4,), "int32"), D: T.Buffer((4,), "int32"), E: T.Buffer((4,), "int32")):
    A = T.alloc_buffer((8,), "int32")
    for i in range(4):
        with T.block("b"):
            vi = T.axis.spatial(4, i)
            A[vi] = B[vi]
            T.assume(A[vi + 4] == T.undef())
    for i in range(4):
        with T.block("c"):
            vi = T.axis.spatial(4, i)
            D[vi] = A[vi + 4]
            E[vi] = A[vi]
