@T.prim_func
def f(X: T.Buffer((8,), "float32"), Y: T.Buffer((8,), "float32"), B: T.Buffer((1,), "float16"), n: T.int32):
    for k in range(8):
        T.assume(k < n or (X[k] == T.float32(0) and Y[k] < T.float32(10) and Y[k] > T.float32(-10)))
    B[0] = T.float16(0)
    for i in range(8):
        if i < n:
            B[0] = B[0] + T.Cast("float16", X[i] * Y[i])
