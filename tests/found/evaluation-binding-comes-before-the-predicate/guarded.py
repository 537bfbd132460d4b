@T.prim_func
def main(B: T.Buffer((8,), "int32"), n: T.int32):
    if n != 0:
        with T.block("b"):
            v = T.axis.opaque((-8, 9), 8 // n)
            B[0] = v
