@T.prim_func
def main(B: T.Buffer((2,), "int32"), n: T.int32):
    T.assume(n <= 0 or 8 // n > 1)
    if n != 0:
        with T.block("b"):
            B[0] = 1
