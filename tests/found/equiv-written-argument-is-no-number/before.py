@T.prim_func
def f(X: T.Buffer((4,), "float32"), W: T.Buffer((1,), "float32"), O: T.Buffer((4,), "float32")):
    W[0] = X[0] * X[1]
    O[0:4] = T.Broadcast(W[0] + X[2], 4)
