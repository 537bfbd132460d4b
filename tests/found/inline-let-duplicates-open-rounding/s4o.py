@T.prim_func
def f(A: T.Buffer((8,), "float32"), D: T.Buffer((8,), "float32"), E: T.Buffer((8,), "float32"), F: T.Buffer((8,), "float32"), K: T.Buffer((8,), "int32"), J: T.Buffer((8,), "int32")):
    for i in range(8):
        if K[i] > 0:
            D[i] = A[0] * A[0] - T.float32(16785408.0)
    F[0] = A[0] * A[0]
    if J[0] > 0:
        E[0] = A[0] * A[0] - T.float32(16785408.0)
