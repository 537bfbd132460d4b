@T.prim_func
def main(n0: T.int8, A4: T.Buffer((128,), "int32")):
    for i2 in range(n0):
        with T.block("s0"):
            vi = T.axis.spatial(n0, i2)
            A4[vi] = 0
