@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), O: T.Buffer((64,), "int32")):
    for i in range(64):
        with T.block("P"):
            vi = T.axis.opaque(64, i)
            B[(vi * 3) % 64] = A[vi]
    for i in range(64):
        with T.block("C"):
            vi = T.axis.spatial(64, i)
            O[vi] = B[vi] + 1
