@T.prim_func
def f(A: T.Buffer((4,),"float32"), X: T.Buffer((4,),"float32"), D: T.Buffer((4,),"float32"), E: T.Buffer((4,),"float32"), F: T.Buffer((4,),"float32"), K: T.Buffer((4,),"int32"), B: T.Buffer((4,),"int32")):
    for i in range(4):
        X[i] = A[i]
    for i in range(4):
        d: T.float32 = A[i] * A[i] - T.float32(16785408)
        D[i] = d
        t: T.float32 = X[i] * X[i]
        F[i] = t
        if K[i] > 0:
            e: T.float32 = t - T.float32(16785408)
            E[i] = e
            B[i] = 0
