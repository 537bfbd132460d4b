@T.prim_func
def main(A: T.Buffer((8,), "int32"), F: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            A[vi] = vi + F[vi]
