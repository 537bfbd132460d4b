@T.prim_func
def main(B: T.Buffer((8,), "int32")):
    A = T.alloc_buffer((8,), "int32")
    for i in range(8):
        with T.block("a"):
            vi = T.axis.spatial(8, i)
            A[vi] = vi
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            B[vi] = A[vi]
