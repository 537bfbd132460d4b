@T.prim_func
def f(A: T.Buffer((4,), "float32"), C: T.Buffer((4,), "float32"), B: T.Buffer((4, 8), "float32")):
    S = T.alloc_buffer((4,))
    for i in range(4):
        S[i] = A[i] * A[i] + C[i]
    for i, j in T.grid(4, 8):
        B[i, j] = S[i]
