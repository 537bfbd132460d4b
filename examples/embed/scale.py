@T.prim_func
def scale(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
    for i in range(64):
        with T.block("scale"):
            vi = T.axis.spatial(64, i)
            B[vi] = A[vi] * 3
