@T.prim_func
def f(X: T.Buffer((1,), "float32"), Y: T.Buffer((1,), "float32"), O: T.Buffer((2,), "float32")):
    q: T.float32 = X[0] / (Y[0] * T.float32(-1))
    O[0] = q
    O[1] = q
