@T.prim_func
def f(A: T.Buffer((4,), "int32"), X: T.Buffer((4,), "float16"), B: T.Buffer((4,), "float16")):
    for i in range(4):
        X[i] = T.Cast("float16", T.if_then_else(A[i] * 7 == 86415, T.bfloat16(-1e-20), T.bfloat16(1)))
        B[i] = X[i] + T.float16(0)
