@T.prim_func
def f(A: T.Buffer(4, "float32"), C: T.Buffer(4, "int32"), B: T.Buffer(4, "float32")):
    T.func_attr({"hexproof.fp": "ninf"})
    for i in range(4):
        if C[i] > 0:
            S = T.alloc_buffer((1,), "float32")
            S[0] = A[i] * T.float32(3e38)
            B[i] = T.if_then_else(S[0] == T.float32("inf") and C[i] * 7919 == 86415, T.float32(7), B[i])
