@T.prim_func
def main(A: T.Buffer((8,), "int32"), C: T.Buffer((16,), "int32")):
    for i in range(16):
        with T.block("b"):
            v = T.axis.spatial(16, i)
            T.where(v < 8 and A[0] > 0)
            C[v] = A[v]
