@T.prim_func
def f(X: T.Buffer((1,), "float32"), Y: T.Buffer((1,), "float32"), Z: T.Buffer((1,), "float32"), D: T.Buffer((1,), "float32"), O: T.Buffer((1,), "float32")):
    c: T.float32 = T.copysign(X[0], Z[0])
    D[0] = c
    O[0] = c + Y[0]
