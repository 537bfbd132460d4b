@T.prim_func
def f(A: T.Buffer((1,), "float32"), B: T.Buffer((1,), "float32"), X: T.Buffer((19,), "float32"), n: T.int32):
    T.assume(n >= 0 and n <= 16)
    S = T.alloc_buffer((1,), "float32")
    S[0] = X[0] + X[1] + X[2]
    B[0] = S[0]
    for i in range(n):
        S[0] = S[0] + X[i + 3]
    A[0] = S[0]
