@T.prim_func
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.block("b"):
            vi = T.axis.opaque(8, i)
            A[vi] = vi
            B[vi] = A[vi]
