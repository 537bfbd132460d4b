@T.prim_func
def f(a: T.handle, B: T.Buffer((1,), "float32"), C: T.Buffer((2,), "float32")):
    n = T.int32()
    A = T.match_buffer(a, (n,), "float32")
    for k in range(n + 1):
        B[0] = B[0] + T.if_then_else(k < n, A[k], T.float32(0) * (C[0] * C[1]))
