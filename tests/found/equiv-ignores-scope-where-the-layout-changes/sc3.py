@T.prim_func
def f(a: T.handle):
    A = T.match_buffer(a, (4, 4), "int32")
    for i, j in T.grid(4, 4):
        A[i, j] = 1
