@T.prim_func
def f(A: T.Buffer((1,), "float32"), X: T.Buffer((8,), "float32")):
    A[0] = T.float32(0)
    for i in range(8):
        A[0] = A[0] + X[7 - i]
