@T.prim_func
def f(A: T.Buffer((3,), "float32"), B: T.Buffer((1,), "float32")):
    B[0] = A[2]
