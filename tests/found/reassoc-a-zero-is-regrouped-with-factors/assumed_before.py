@T.prim_func
def f(A: T.Buffer((1,), "float32"), B: T.Buffer((1,), "float32"), C: T.Buffer((1,), "float32"), Y: T.Buffer((1,), "float32"), O: T.Buffer((1,), "float32")):
    T.func_attr({"hexproof.fp": "reassoc nsz nnan ninf"})
    T.assume(A[0] == T.float32(0))
    O[0] = A[0] * C[0] * Y[0]
