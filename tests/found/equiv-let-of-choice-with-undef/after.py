@T.prim_func
def f(A: T.Buffer((1,), "int32"), B: T.Buffer((2,), "int32"), n: T.int32):
    B[0] = T.Select(n > 0, 1, A[0])
    B[1] = T.Select(n > 0, 2, A[0])
