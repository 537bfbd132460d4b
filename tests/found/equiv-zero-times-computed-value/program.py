@T.prim_func
def f(a: T.handle, B: T.Buffer((1,), "float32"), C: T.Buffer((2,), "float32")):
    n = T.int32()
    A = T.match_buffer(a, (n,), "float32")
    for k in range(n):
        B[0] = B[0] + A[k]
