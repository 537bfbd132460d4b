@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    T.assume(n >= 0 and n < 8)
    for i in range(4):
        with T.block("B"):
            v = T.axis.spatial(4, i + n)
            A[i] = T.float32(1)
    T.assume(n == 0)
