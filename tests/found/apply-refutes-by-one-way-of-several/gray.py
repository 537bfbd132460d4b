@T.prim_func
def main(A: T.Buffer((1024,), "int32"), C: T.Buffer((1024,), "int32")):
    for i in range(1024):
        with T.block("c"):
            vi = T.axis.spatial(1024, i)
            C[vi] = A[vi]
