@T.prim_func
def main(D: T.Buffer((1,), "int32"), C: T.Buffer((8,), "int32")):
    T.assume(D[0] <= 0)
    if D[0] > 0:
        for i in range(8):
            with T.block("b"):
                v = T.axis.spatial(4, i)
                C[v] = 1
