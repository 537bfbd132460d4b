@T.prim_func
def main(B: T.Buffer((16,), "int32"), V: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            B[vi] = T.if_then_else(1 <= vi and vi < 7, V[vi], 0)
