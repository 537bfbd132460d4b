@T.prim_func
def f(A: T.Buffer((4,), "float32"), X: T.Buffer((2,), "float32")):
    if A[0] * A[1] + A[2] > T.float32(0):
        X[0] = T.float32(1)
        X[1] = T.float32(1)
