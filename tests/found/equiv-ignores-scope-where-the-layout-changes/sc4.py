@T.prim_func
def f(a: T.handle):
    A = T.match_buffer(a, (2, 8), "int32", scope="shared")
    for i in range(16):
        A[i // 8, i % 8] = 1
