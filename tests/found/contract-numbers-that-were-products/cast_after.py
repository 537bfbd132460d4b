@T.prim_func
def f(A: T.Buffer((1,), "float32"), I: T.Buffer((1,), "int32"), O: T.Buffer((1,), "float32")):
    T.func_attr({"hexproof.fp": "contract"})
    X = T.alloc_buffer((2,), "float32")
    for i in range(2):
        X[i] = T.float32(4097)
    O[0] = A[0] + T.Cast("float32", T.Cast("float64", X[I[0] & 1]) * T.Cast("float64", X[I[0] & 1]))
