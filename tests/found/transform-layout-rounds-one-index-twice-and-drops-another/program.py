@T.prim_func
def f(X: T.Buffer(2, "float32"), Y: T.Buffer(2, "float32"), Z: T.Buffer(2, "float32"), A: T.Buffer((16, 1), "float32"), B: T.Buffer(1, "float32")):
    T.func_attr({"hexproof.fp": "contract"})
    B[0] = A[T.Cast("int32", T.min(T.max(X[0] * Y[0] + Z[0], T.float32(0)), T.float32(15))), T.Cast("int32", T.min(T.max(X[1] * Y[1] + Z[1], T.float32(0)), T.float32(0.5)))]
