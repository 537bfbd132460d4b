@T.prim_func
def f(X: T.Buffer((4,), "uint32"), D: T.Buffer((1,), "uint32"), A: T.Buffer((1,), "int32")):
    A[0] = 1
