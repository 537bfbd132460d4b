@T.prim_func
def f(X: T.Buffer((4,), "uint32"), D: T.Buffer((1,), "uint32"), A: T.Buffer((1,), "int32")):
    T.assume(T.Select(D[0] == T.uint32(0), X[0] == X[0], X[0] // D[0] == X[0] // D[0]))
    A[0] = 1
