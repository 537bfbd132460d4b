@T.prim_func
def f(x: T.float32, A: T.Buffer((4,), "int32")):
    if x != x:
        A[10] = 0
