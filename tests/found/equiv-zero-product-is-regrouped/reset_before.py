@T.prim_func
def f(A: T.Buffer((1,), "float32"), C: T.Buffer((8,), "int32"), X: T.Buffer((8, 3), "float32"), P: T.Buffer((8, 4), "float32"), D: T.Buffer((8,), "float32"), O: T.Buffer((1,), "float32"), n: T.int32):
    T.assume(n >= 0 and n <= 4)
    for o, k in T.grid(8, 4):
        T.assume(k < n or P[o, k] == T.float32(0))
    S = T.alloc_buffer((1,), "float32")
    S[0] = A[0]
    for o in range(8):
        if C[o] > 0:
            for k in range(4):
                if k < n:
                    S[0] = S[0] + P[o, k]
        else:
            x: T.float32 = X[o, 0] + X[o, 1] + X[o, 2]
            D[o] = x
            S[0] = x
    O[0] = S[0]
