@T.prim_func
def f(A: T.Buffer((1,),"float32"), X: T.Buffer((1,),"float32"), B: T.Buffer((1,),"int32")):
    T.assume(A[0] == T.infinity("float32"))
    x: T.float32 = A[0] - A[0]
    B[0] = T.Select(x == x, 0, 1)
