@T.prim_func
def f(A: T.Buffer((1,), "int32"), B: T.Buffer((1,), "int32")):
    A[0] = 0
    if B[0] == 123456789:
        A[0] = 7
