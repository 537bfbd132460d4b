@T.prim_func
def f(A: T.Buffer((4,), "float32"), V: T.Buffer((2,), "float32"), W: T.Buffer((2,), "float32"), X: T.Buffer((2,), "float32")):
    for i in range(2):
        X[i] = T.if_then_else(A[0] * A[1] + A[2] > T.float32(0), V[i], W[i])
