@T.prim_func
def main(A: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
    for i in range(16):
        with T.block("b"):
            v = T.axis.spatial(16, i)
            C[v] = A[v]
