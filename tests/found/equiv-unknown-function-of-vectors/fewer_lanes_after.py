@T.prim_func
def f(V: T.Buffer((4,), "float32"), X: T.Buffer((2,), "float32")):
    X[0] = T.sqrt(V[0])
    X[1] = T.sqrt(V[1])
