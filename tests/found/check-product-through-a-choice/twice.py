@T.prim_func
def f(A: T.Buffer((1,), "float32"), C: T.Buffer((1,), "float32"), B: T.Buffer((4,), "int32")):
    if A[0] * A[0] - C[0] < A[0] * A[0] - C[0]:
        B[100] = 1
