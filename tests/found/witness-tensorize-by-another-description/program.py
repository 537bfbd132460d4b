@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), C: T.Buffer((64,), "int32")):
    for i in range(64):
        with T.block("c"):
            vi = T.axis.spatial(64, i)
            C[vi] = A[vi] - B[vi]
