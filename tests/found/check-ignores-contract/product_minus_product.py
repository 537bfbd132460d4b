@T.prim_func
def f(A: T.Buffer((1,),"float32"), X: T.Buffer((1,),"float32"), B: T.Buffer((1,),"int32")):
    T.assume(A[0] > T.float32(1) and A[0] < T.float32(2))
    T.assume(X[0] > T.float32(1) and X[0] < T.float32(2))
    t = A[0] * X[0]
    B[T.Cast("int32", (A[0] * X[0] - A[0] * X[0]) * T.float32(1000000000000.0))] = 1
