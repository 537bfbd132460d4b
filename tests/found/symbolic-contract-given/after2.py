@T.prim_func
def f(A: T.Buffer((4,),"float32"), B: T.Buffer((4,),"int32")):
    for i in range(4):
        B[i] = T.Select(A[i]*A[i] - A[i] * A[i] > T.float32(0), 1, 0)
