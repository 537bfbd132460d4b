@T.prim_func
def f(A: T.Buffer((4,), "float32"), C: T.Buffer((4,), "float32"), B: T.Buffer((4, 8), "float32")):
    for i, j in T.grid(4, 8):
        B[i, j] = A[i] * A[i] + C[i]
