@T.prim_func
def f(x: T.float32, A: T.Buffer((4,), "int32")):
    if x == T.float32(0):
        if T.float32(1) / x < T.float32(0):
            A[10] = 0
