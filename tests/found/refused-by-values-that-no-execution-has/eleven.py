@T.prim_func
def main(A: T.Buffer((11,), "int32"), C: T.Buffer((11,), "int32")):
    B = T.alloc_buffer((11,), "int32")
    for i in range(11):
        with T.block("b"):
            vi = T.axis.spatial(11, i)
            B[vi] = A[vi] * 2
    for i in range(11):
        with T.block("c"):
            vi = T.axis.spatial(11, i)
            C[vi] = B[vi]
