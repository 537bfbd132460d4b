@T.prim_func
def main(B: T.Buffer((2,), "int32"), n: T.int32, m: T.int32):
    T.assume(n > -2147483648 and m < 2147483647)
    if m + 1 > n:
        B[0] = 1
    if m > n - 1:
        B[1] = 1
