@T.prim_func
def main(B: T.Buffer((2,), "int32"), n: T.int32, k: T.int32, j: T.int32):
    T.assume(n >= -1000000 and n <= 1000000 and k >= -1000000 and k <= 1000000)
    T.assume(n * 7 + k * 5 == -260027)
    T.assume(k <= 0 or 8 // (n - k * 3) > -100)
    if j > 0 and n != k * 3:
        B[0] = 1
    if j > 0:
        B[1] = 1
