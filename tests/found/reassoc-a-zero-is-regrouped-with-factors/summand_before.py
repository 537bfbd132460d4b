@T.prim_func
def f(X: T.Buffer((1,), "float32"), C: T.Buffer((1,), "float32"), Y: T.Buffer((1,), "float32"), Z: T.Buffer((1,), "float32"), O: T.Buffer((1,), "float32")):
    T.func_attr({"hexproof.fp": "reassoc nsz"})
    T.assume(X[0] == T.float32(0))
    O[0] = C[0] * Y[0] * Z[0]
