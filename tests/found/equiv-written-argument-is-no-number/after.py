@T.prim_func
def f(X: T.Buffer((4,), "float32"), W: T.Buffer((1,), "float32"), O: T.Buffer((4,), "float32")):
    W[0] = X[0] * X[1]
    for i in range(4):
        O[i] = W[0] + X[2]
