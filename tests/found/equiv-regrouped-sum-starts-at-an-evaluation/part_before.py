@T.prim_func
def f(X: T.Buffer((1,), "float32"), Y: T.Buffer((1,), "float32"), A: T.Buffer((4,), "float32"), D: T.Buffer((1,), "float32"), O: T.Buffer((1,), "float32"), m: T.int32, p: T.int32):
    T.assume(p >= 0 and p <= 10)
    T.assume(m >= 0 and m <= 4)
    S = T.alloc_buffer((1,), "float32")
    S[0] = X[0] + Y[0]
    for i in range(p, p + 4):
        if i == p + 1:
            D[0] = S[0]
        if i < p + m:
            S[0] = S[0] + A[i - p]
    O[0] = S[0]
