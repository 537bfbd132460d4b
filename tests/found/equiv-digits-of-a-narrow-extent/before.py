@T.prim_func
def f(a: T.handle, b: T.handle):
    n = T.int16()
    A = T.match_buffer(a, (n,), "int32")
    B = T.match_buffer(b, (n,), "int32")
    for i in range(n):
        B[i] = A[i]
