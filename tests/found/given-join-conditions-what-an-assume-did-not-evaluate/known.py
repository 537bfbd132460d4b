@T.prim_func
def main(B: T.Buffer((2,), "int32"), n: T.int32, k: T.int32):
    T.assume(n >= -1000000 and n <= 1000000 and k >= -1000000 and k <= 1000000)
    T.assume(n * 7 + k * 5 == -260027)
    T.assume(k <= 0 or 8 // (n - k * 3) > -100)
    for i in range(2):
        if k > 0:
            if i + 8 // (n - k * 3) > 1:
                B[i] = 1
