@T.prim_func
def f(A: T.Buffer(3, "float32"), B: T.Buffer(1, "int32")):
    X = T.alloc_buffer((16,), "int32")
    X[T.Cast("int32", T.min(T.max(A[0] * A[1] + A[2], T.float32(0)), T.float32(15)))] = 1
    B[0] = X[T.Cast("int32", T.min(T.max(A[0] * A[1] + A[2], T.float32(0)), T.float32(15)))]
