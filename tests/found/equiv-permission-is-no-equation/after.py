@T.prim_func
def f(A: T.Buffer((1,), "float32"), O: T.Buffer((1,), "float32")):
    T.assume(A[0] == A[0])
    O[0] = T.float32(1)
