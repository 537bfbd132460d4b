@T.prim_func
def f(A: T.Buffer((4,), "float32"), X: T.Buffer((4,), "float16"), B: T.Buffer((4,), "float16")):
    for i in range(4):
        X[i] = T.Cast("float16", T.Cast("bfloat16", A[i]) + T.bfloat16(0))
        B[i] = X[i] + T.float16(0)
