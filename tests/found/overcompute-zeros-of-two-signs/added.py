@T.prim_func
def main(A: T.Buffer((4,), "float32"), E: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
    T.func_attr({"hexproof.fp": "contract"})
    for i in range(4):
        with T.block("b"):
            vi = T.axis.spatial(4, i)
            if vi < 2:
                B[vi] = A[vi] * E[vi] + T.float32(0.0)
            else:
                B[vi] = A[vi] * E[vi] + T.float32(-0.0)
