@T.prim_func
def main(B: T.Buffer((2,), "int32"), n: T.int32):
    T.assume(n > 0)
    B[1] = T.if_then_else(n > 0, 8 // n, 0)
    if n != 0:
        with T.block("b"):
            B[0] = 1
