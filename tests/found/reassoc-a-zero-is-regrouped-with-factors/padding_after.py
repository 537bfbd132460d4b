@T.prim_func
def f(A: T.Buffer((5,), "float32"), C: T.Buffer((2,), "float32"), O: T.Buffer((1,), "float32")):
    T.func_attr({"hexproof.fp": "reassoc nsz"})
    T.assume(A[4] == T.float32(0))
    S = T.alloc_buffer((1,), "float32")
    S[0] = C[0]
    for k in range(5):
        S[0] = S[0] + A[k]
    O[0] = S[0] * C[1]
