@T.prim_func
def f(X: T.Buffer((8,), "float32"), W: T.Buffer((1,), "float32"), O: T.Buffer((8,), "float32")):
    W[0] = X[0] * X[1]
    O[0:4] = X[T.Ramp(T.if_then_else(W[0] + X[2] > T.float32(0), 1, 0), 1, 4)]
