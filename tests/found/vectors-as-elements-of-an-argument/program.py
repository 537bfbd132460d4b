@T.prim_func
def f(A: T.Buffer((4,), "float32x4"), B: T.Buffer((4,), "float32x4")):
    for i in range(4):
        B[i] = A[i]
