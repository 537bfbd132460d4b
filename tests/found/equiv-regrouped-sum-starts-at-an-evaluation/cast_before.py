@T.prim_func
def f(X: T.Buffer((1,), "float32"), Y: T.Buffer((1,), "float32"), A: T.Buffer((4,), "float16"), D: T.Buffer((1,), "float16"), O: T.Buffer((1,), "float16"), n: T.int32):
    T.assume(n >= 0 and n <= 100)
    S = T.alloc_buffer((1,), "float16")
    S[0] = T.Cast("float16", X[0] * Y[0])
    D[0] = S[0]
    for k in range(4):
        if k < n:
            S[0] = S[0] + A[k]
    O[0] = S[0]
