@T.prim_func
def f(A: T.Buffer((16,), "int32"), B: T.Buffer((1,), "int32")):
    if A[15] == 3:
        B[0] = 0
    else:
        B[0] = 0
