@T.prim_func
def f(A: T.Buffer((2, 2), "float32"), C: T.Buffer((2, 2), "float32"), D: T.Buffer((2, 2), "float32"), X: T.Buffer((2, 2), "int32"), H: T.Buffer(16, "int32")):
    for i in range(2):
        H[T.Cast("int32", T.min(T.max(A[i, 0] * C[i, 0] + D[i, 0], T.float32(0)), T.float32(15)))] = H[T.Cast("int32", T.min(T.max(A[i, 0] * C[i, 0] + D[i, 0], T.float32(0)), T.float32(15)))] + X[i, 0]
        H[T.Cast("int32", T.min(T.max(A[i, 1] * C[i, 1] + D[i, 1], T.float32(0)), T.float32(15)))] = H[T.Cast("int32", T.min(T.max(A[i, 1] * C[i, 1] + D[i, 1], T.float32(0)), T.float32(15)))] + X[i, 1]
