@T.prim_func
def f(A: T.Buffer((4,),"float32"), X: T.Buffer((4,),"float32"), B: T.Buffer((4,),"int32")):
    for i in range(4):
        T.assume(A[i] == T.infinity("float32"))
        T.assume(X[i] == T.float32(0))
        x: T.float32 = A[i] * X[i]
        B[T.if_then_else(x == x, 100, i)] = 1
