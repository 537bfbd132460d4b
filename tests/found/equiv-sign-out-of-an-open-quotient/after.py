@T.prim_func
def f(X: T.Buffer((1,), "float32"), Y: T.Buffer((1,), "float32"), O: T.Buffer((2,), "float32")):
    O[0] = X[0] / (Y[0] * T.float32(-1))
    O[1] = X[0] / (Y[0] * T.float32(-1))
