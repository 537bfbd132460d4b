@T.prim_func
def before(a: T.handle, b: T.handle, c: T.handle):
    n = T.int32()
    m = T.int32()
    l = T.int32()
    A = T.match_buffer(a, (n, l), "float32")
    B = T.match_buffer(b, (l, m), "float32")
    C = T.match_buffer(c, (n, m), "float32")
    for i, j in T.grid(n, m):
        C[i, j] = T.float32(0)
        for k in range(l):
            C[i, j] = C[i, j] + A[i, k] * B[k, j]


@T.prim_func
def right(a: T.handle, b: T.handle, c: T.handle):
    n = T.int32()
    m = T.int32()
    l = T.int32()
    A = T.match_buffer(a, (n, l), "float32")
    B = T.match_buffer(b, (l, m), "float32")
    C = T.match_buffer(c, (n, m), "float32")
    for j, i in T.grid(m, n):
        C[i, j] = T.float32(0)
        for k in range(l):
            C[i, j] = C[i, j] + B[k, j] * A[i, k]


# The first step is left out.
@T.prim_func
def wrong(a: T.handle, b: T.handle, c: T.handle):
    n = T.int32()
    m = T.int32()
    l = T.int32()
    A = T.match_buffer(a, (n, l), "float32")
    B = T.match_buffer(b, (l, m), "float32")
    C = T.match_buffer(c, (n, m), "float32")
    for i, j in T.grid(n, m):
        C[i, j] = T.float32(0)
        for k in range(1, l):
            C[i, j] = C[i, j] + A[i, k] * B[k, j]
