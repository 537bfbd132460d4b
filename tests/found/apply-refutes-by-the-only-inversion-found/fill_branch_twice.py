@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
    for i in range(64):
        with T.block("P"):
            vi = T.axis.opaque(64, i)
            if vi < 60:
                B[vi] = A[vi]
    for j in range(64):
        with T.block("Q"):
            vj = T.axis.opaque(64, j)
            B[(vj * 2) % 64] = A[vj]
