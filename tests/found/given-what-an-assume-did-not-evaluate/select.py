@T.prim_func
def main(B: T.Buffer((1,), "int32"), n: T.int32, k: T.int32):
    T.assume(n >= -1000000 and n <= 1000000 and k >= -1000000 and k <= 1000000)
    T.assume(n * 7 + k * 5 == -260026)
    T.assume(T.Select(k > 0, 8 // (n - k * 3) > -100, T.bool(True)))
    if n != k * 3:
        with T.block("b"):
            B[0] = 1
