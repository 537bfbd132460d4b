@T.prim_func
def f(A: T.Buffer((6,), "float32"), B: T.Buffer((1,), "float32")):
    for i in range(6):
        B[0] = B[0] + A[i]
