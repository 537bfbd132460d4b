@T.prim_func
def f(X: T.Buffer((1,), "float32"), A: T.Buffer((3,), "float32"), Y: T.Buffer((1,), "float32"), O: T.Buffer((1,), "float32")):
    T.func_attr({"hexproof.fp": "reassoc"})
    T.assume(A[2] == T.float32(1))
    S = T.alloc_buffer((1,), "float32")
    S[0] = X[0]
    for k in range(2):
        S[0] = S[0] * A[k]
    O[0] = S[0] / Y[0]
