@T.prim_func
def f(X: T.Buffer((1,), "float32"), Y: T.Buffer((3,), "float32"), O: T.Buffer((1,), "float32")):
    O[0] = (X[0] + Y[0]) - X[0] + Y[1] + Y[2]
