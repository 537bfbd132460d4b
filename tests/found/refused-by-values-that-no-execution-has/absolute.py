@T.prim_func
def main(A: T.Buffer((1,), "float32"), B: T.Buffer((1,), "int32")):
    if T.abs(A[0]) >= T.float32(0) or A[0] != A[0]:
        with T.block("b"):
            vi = T.axis.opaque(1, 0)
            B[vi] = 1
