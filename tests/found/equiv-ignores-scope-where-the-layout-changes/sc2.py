@T.prim_func
def f(a: T.handle):
    A = T.match_buffer(a, (16,), "int32")
    for i in range(16):
        A[i] = 1
