@T.prim_func
def f(x: T.float32, A: T.Buffer((8,), "float32"), B: T.Buffer((1,), "float32")):
    B[0] = T.float32(0)
    for k in range(8):
        B[0] = B[0] + A[k]
