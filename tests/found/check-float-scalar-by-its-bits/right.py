@T.prim_func
def f(x: T.float64, A: T.Buffer((4,), "int32")):
    if x < T.float64(-1.5):
        A[3] = 0
