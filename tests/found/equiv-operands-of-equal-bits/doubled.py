@T.prim_func
def f(X: T.Buffer((4,), "float16"), A: T.Buffer((4,), "float16"), B: T.Buffer((4,), "float16"), O: T.Buffer((4,), "float16")):
    for i in range(4):
        O[i] = X[i] * T.float16(2) + A[i] * B[i]
