@T.prim_func
def main(A: T.Buffer((4,), "int32"), n: T.int32):
    T.assume(n > 3)
    T.assume(n < 3)
    A[n] = 1
