@T.prim_func
def f(x: T.float32, A: T.Buffer((4,), "int32")):
    T.assume(x > T.float32(0.5) and x < T.float32(0.75))
    A[0] = 1
