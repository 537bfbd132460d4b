@T.prim_func
def f(X: T.Buffer((8,), "float32"), Y: T.Buffer((8,), "float32"), Z: T.Buffer((8,), "float32"), O: T.Buffer((8,), "float32"), n: T.int32):
    B = T.alloc_buffer((8,), "float32")
    for k in range(8):
        T.assume(k < n or (X[k] == T.float32(0) and Y[k] < T.float32(1e30) and Y[k] > T.float32(-1e30)))
    for i in range(8):
        if i < n:
            B[i] = X[i] * Y[i]
        else:
            B[i] = T.float32(0)
    for i in range(8):
        O[i] = B[i] * Z[i]
