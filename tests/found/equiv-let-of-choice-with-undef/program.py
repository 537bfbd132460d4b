@T.prim_func
def f(A: T.Buffer((1,), "int32"), B: T.Buffer((2,), "int32"), n: T.int32):
    x: T.int32 = T.Select(n > 0, T.undef(), A[0])
    B[0] = x
    B[1] = x
