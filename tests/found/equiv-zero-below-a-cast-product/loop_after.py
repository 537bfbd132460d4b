@T.prim_func
def f(X: T.Buffer((1,), "float32"), Y: T.Buffer((1,), "float32"), A: T.Buffer((8,), "float16"), O: T.Buffer((1,), "float16")):
    for k in range(8):
        T.assume(k < 5 or A[k] == T.float16(0))
    S = T.alloc_buffer((1,), "float16")
    S[0] = T.Cast("float16", X[0] * Y[0])
    for i in range(8):
        S[0] = S[0] + A[i]
    O[0] = S[0]
