@T.prim_func
def main(B: T.Buffer((1,), "int32"), n: T.int32):
    if n < 2147483647:
        if n + 1 > n:
            with T.block("b"):
                B[0] = 1
