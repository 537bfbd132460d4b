@T.prim_func
def f(X: T.Buffer((1,), "float32"), Z: T.Buffer((1,), "float32"), A: T.Buffer((64,), "float32"), D: T.Buffer((1,), "float32"), O: T.Buffer((1,), "float32"), n: T.int32):
    T.assume(n >= 1 and n <= 64)
    S = T.alloc_buffer((1,), "float32")
    S[0] = T.copysign(X[0], Z[0])
    D[0] = S[0]
    for i in range(n):
        S[0] = S[0] + A[i]
    O[0] = S[0]
