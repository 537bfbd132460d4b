@T.prim_func
def f(X: T.Buffer((1,), "float32"), Z: T.Buffer((1,), "float32"), Y: T.Buffer((3,), "float32"), O: T.Buffer((1,), "float32")):
    T.assume(X[0] < T.float32(1e30) and X[0] > T.float32(-1e30) and Z[0] < T.float32(1e30) and Z[0] > T.float32(-1e30))
    O[0] = Y[0] + Y[1] + Y[2]
