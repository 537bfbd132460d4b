@T.prim_func
def f(X: T.Buffer((3,), "float32"), A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32"), D: T.Buffer((1,), "float32"), O: T.Buffer((1,), "float32"), n: T.int32):
    T.assume(n >= 3 and n <= 64)
    S = T.alloc_buffer((1,), "float32")
    R = T.alloc_buffer((1,), "float32")
    R[0] = X[0]
    for i in range(2):
        R[0] = T.atan2(R[0], B[i])
    D[0] = R[0]
    S[0] = X[0]
    for i in range(n):
        S[0] = T.atan2(S[0], B[i])
    O[0] = S[0]
