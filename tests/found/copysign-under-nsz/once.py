@T.prim_func
def f(A: T.Buffer((1,), "float32"), D: T.Buffer((1,), "float32"), E: T.Buffer((1,), "float32")):
    s: T.float32 = T.copysign(T.float32(1), A[0])
    D[0] = s
    E[0] = s
