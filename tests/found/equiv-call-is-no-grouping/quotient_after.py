@T.prim_func
def f(X: T.Buffer((1,), "float32"), Y: T.Buffer((1,), "float32"), Z: T.Buffer((1,), "float32"), D: T.Buffer((1,), "float32"), O: T.Buffer((1,), "float32")):
    D[0] = X[0] / Z[0]
    O[0] = X[0] / Z[0] + Y[0]
