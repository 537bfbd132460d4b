@T.prim_func
def f(X: T.Buffer((1,), "float16"), A: T.Buffer((64,), "float16"), O: T.Buffer((1,), "float16"), n: T.int32):
    T.assume(n >= 0 and n <= 64)
    S = T.alloc_buffer((1,), "float16")
    S[0] = X[0] * T.float16(2)
    for i in range(n):
        S[0] = S[0] + A[i]
    O[0] = S[0]
