@T.prim_func
def main(D: T.Buffer((1,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        if D[0] == i:
            with T.block("b"):
                v = T.axis.spatial(4, i)
                B[0] = v
