@T.prim_func
def f(x: T.float32, A: T.Buffer((8,), "float32"), B: T.Buffer((1,), "float32")):
    B[0] = T.float32(0)
    for k in range(9):
        B[0] = B[0] + T.if_then_else(k < 8, A[T.min(k, 7)], T.float32(0) * x)
