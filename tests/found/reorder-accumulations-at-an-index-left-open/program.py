@T.prim_func
def f(A: T.Buffer((2, 2), "float32"), C: T.Buffer((2, 2), "float32"), D: T.Buffer((2, 2), "float32"), X: T.Buffer((2, 2), "int32"), H: T.Buffer(16, "int32")):
    for i, j in T.grid(2, 2):
        H[T.Cast("int32", T.min(T.max(A[i, j] * C[i, j] + D[i, j], T.float32(0)), T.float32(15)))] = H[T.Cast("int32", T.min(T.max(A[i, j] * C[i, j] + D[i, j], T.float32(0)), T.float32(15)))] + X[i, j]
