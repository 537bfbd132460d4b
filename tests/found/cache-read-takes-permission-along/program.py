@T.prim_func
def main(B: T.Buffer((4,), "int32"), C: T.Buffer((4,), "int32"), D: T.Buffer((4,), "int32")):
    A = T.alloc_buffer((8,), "int32")
    for i in range(4):
        with T.block("a"):
            vi = T.axis.spatial(4, i)
            A[vi] = B[vi]
    for i in range(4):
        with T.block("b"):
            vi = T.axis.spatial(4, i)
            C[vi] = A[vi]
            T.assume(A[vi + 4] == T.undef())
    for i in range(4):
        with T.block("c"):
            vi = T.axis.spatial(4, i)
            D[vi] = A[vi + 4]
