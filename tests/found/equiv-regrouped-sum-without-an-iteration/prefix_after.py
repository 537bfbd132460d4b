@T.prim_func
def f(A: T.Buffer((9,), "float32"), X: T.Buffer((9,), "float32"), G: T.Buffer((8,), "int32")):
    S = T.alloc_buffer((1,), "float32")
    for i in range(8):
        S[0] = T.float32(0)
        for j in range(i):
            if G[j] > 0:
                S[0] = S[0] + X[j]
        A[i] = S[0]
