@T.prim_func
def f(X: T.Buffer((3,), "float32"), A: T.Buffer((2, 4), "float32"), D: T.Buffer((1,), "float32"), O: T.Buffer((1,), "float32"), n: T.int32):
    T.assume(n >= 0 and n <= 100)
    S = T.alloc_buffer((1,), "float32")
    S[0] = X[0] + X[1] + X[2]
    D[0] = S[0]
    for i in range(2):
        for k in range(4):
            if i + k < n:
                S[0] = S[0] + A[i, k]
        S[0] = T.max(S[0], T.float32(0))
    O[0] = S[0]
