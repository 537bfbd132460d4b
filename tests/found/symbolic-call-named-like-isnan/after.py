@T.prim_func
def f(A: T.Buffer((2,), "float32"), B: T.Buffer((1,), "bool")):
    B[0] = A[0] != A[0]
