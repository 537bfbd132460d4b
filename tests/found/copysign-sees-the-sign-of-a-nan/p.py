@T.prim_func
def f(A: T.Buffer((4,),"float32"), B: T.Buffer((4,),"float32"), C: T.Buffer((4,),"float32")):
    for i in range(4):
        B[i] = T.copysign(T.float32(1), A[i] - A[i])
        C[i] = T.copysign(T.float32(1), (A[i] - A[i]) * T.float32(-1))
