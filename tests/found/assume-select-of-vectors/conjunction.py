@T.prim_func
def f(X: T.Buffer((4,), "uint32"), D: T.Buffer((1,), "uint32"), A: T.Buffer((1,), "int32")):
    v = T.boolx4()
    T.assume(T.Let(D[0] == D[0], where={v: T.And(X[0:4] > T.Broadcast(D[0], 4), X[0:4] < T.Broadcast(D[0], 4))}))
    A[0] = 1
