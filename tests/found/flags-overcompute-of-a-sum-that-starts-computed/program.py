@T.prim_func
def f(X: T.Buffer((3,), "float32"), A: T.Buffer((16,), "float32"), D: T.Buffer((1,), "float32"), B: T.Buffer((1,), "float32"), n: T.int32):
    for k in range(16):
        T.assume(k < n or A[k] == T.float32(0))
    x: T.float32 = X[0] + X[1] + X[2]
    D[0] = x
    B[0] = x
    for i in range(16):
        if i < n:
            B[0] = B[0] + A[i]
