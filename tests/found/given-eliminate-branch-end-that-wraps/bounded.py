@T.prim_func
def main(B: T.Buffer((1,), "int32"), m: T.int32, n: T.int32):
    T.assume(m < 1000 and n < 1000)
    for i in T.serial(m, m + n):
        if T.wrap(m + n) > m:
            with T.block("b"):
                B[0] = i
