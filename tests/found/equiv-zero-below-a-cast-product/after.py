@T.prim_func
def f(X: T.Buffer((1,), "float32"), Y: T.Buffer((1,), "float32"), Z: T.Buffer((1,), "float16"), A: T.Buffer((1,), "float16"), O: T.Buffer((1,), "float16")):
    O[0] = (T.Cast("float16", X[0] * Y[0]) + T.float16(0)) + Z[0]
