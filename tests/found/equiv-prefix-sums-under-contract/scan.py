@T.prim_func
def f(A: T.Buffer((4,), "float32"), C: T.Buffer((4,), "float32"), P: T.Buffer((4,), "float32")):
    S = T.alloc_buffer((1,))
    S[0] = T.float32(0)
    for i in range(4):
        S[0] = S[0] + A[i] * C[i]
        P[i] = S[0]
