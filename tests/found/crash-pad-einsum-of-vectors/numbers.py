@T.prim_func
def main(A: T.Buffer((8,), "int32x4"), B: T.Buffer((8,), "int32x4")):
    for i in range(8):
        with T.block("c"):
            vi = T.axis.spatial(8, i)
            B[vi] = A[vi]
