@T.prim_func
def f(A: T.Buffer((1,), "float32"), B: T.Buffer((1,), "float32")):
    B[0] = A[0] * T.float32(1293530146158671551.0)
