@T.prim_func
def f(A: T.Buffer((4,),"float32"), B: T.Buffer((4,),"int32")):
    for i in range(4):
        T.assume(A[i] == T.infinity("float32"))
        B[i] = 1
