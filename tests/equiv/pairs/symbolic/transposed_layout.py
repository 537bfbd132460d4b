# layout: A = lambda i, j: [j, i]
@T.prim_func
def before(a: T.handle, b: T.handle):
    n = T.int32()
    m = T.int32()
    A = T.match_buffer(a, (n, m), "float32")
    B = T.match_buffer(b, (n, m), "float32")
    for i, j in T.grid(n, m):
        B[i, j] = A[i, j] + T.float32(1)


@T.prim_func
def right(a: T.handle, b: T.handle):
    n = T.int32()
    m = T.int32()
    A = T.match_buffer(a, (m, n), "float32")
    B = T.match_buffer(b, (n, m), "float32")
    for j, i in T.grid(m, n):
        B[i, j] = A[j, i] + T.float32(1)


@T.prim_func
def wrong(a: T.handle, b: T.handle):
    n = T.int32()
    m = T.int32()
    A = T.match_buffer(a, (m, n), "float32")
    B = T.match_buffer(b, (n, m), "float32")
    for j, i in T.grid(m, n):
        B[i, j] = A[j, T.max(i - 1, 0)] + T.float32(1)
