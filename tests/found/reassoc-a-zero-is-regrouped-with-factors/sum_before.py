@T.prim_func
def f(A: T.Buffer((4,), "float32"), O: T.Buffer((1,), "float32"), C: T.Buffer((2,), "float32")):
    T.func_attr({"hexproof.fp": "reassoc nsz nnan ninf"})
    S = T.alloc_buffer((1,), "float32")
    S[0] = T.float32(0)
    for k in range(4):
        S[0] = S[0] + A[k]
    O[0] = S[0] * C[1]
