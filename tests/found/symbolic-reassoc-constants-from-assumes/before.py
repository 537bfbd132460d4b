@T.prim_func
def f(A: T.Buffer((4,),"float32"), X: T.Buffer((4,),"float32"), B: T.Buffer((4,),"int32")):
    for i in range(4):
        T.assume(A[i] == T.float32(100000000))
        T.assume(X[i] == T.float32(1))
        B[i] = 0
