@T.prim_func
def main(A: T.Buffer((4,), "int32"), n: T.int32, m: T.int32):
    T.assume(n < 5)
    if n > m:
        T.assume(m >= 5)
        A[0] = 1
