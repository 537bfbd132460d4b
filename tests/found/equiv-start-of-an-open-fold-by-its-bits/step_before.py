@T.prim_func
def f(X: T.Buffer((64,), "float16"), A: T.Buffer((64,), "float16"), C: T.Buffer((64,), "int32"), O: T.Buffer((1,), "float16"), n: T.int32):
    T.assume(n >= 0 and n <= 64)
    S = T.alloc_buffer((1,), "float16")
    S[0] = A[0]
    for i in range(n):
        S[0] = T.if_then_else(C[i] > 0, S[0] + A[i], X[i] + X[i])
    O[0] = S[0]
