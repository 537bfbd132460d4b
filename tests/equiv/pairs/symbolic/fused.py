# Two loops of unknown extents in one.
@T.prim_func
def before(a: T.handle, b: T.handle):
    n = T.int32()
    m = T.int32()
    A = T.match_buffer(a, (n, m), "int32")
    B = T.match_buffer(b, (n, m), "int32")
    for i, j in T.grid(n, m):
        B[i, j] = A[i, j] - 3


@T.prim_func
def right(a: T.handle, b: T.handle):
    n = T.int32()
    m = T.int32()
    A = T.match_buffer(a, (n, m), "int32")
    B = T.match_buffer(b, (n, m), "int32")
    for j in T.parallel(m):
        for i in range(n):
            B[i, j] = A[i, j] - 3


# The loops have each other's extent.
@T.prim_func
def wrong(a: T.handle, b: T.handle):
    n = T.int32()
    m = T.int32()
    A = T.match_buffer(a, (n, m), "int32")
    B = T.match_buffer(b, (n, m), "int32")
    for i, j in T.grid(m, n):
        B[i, j] = A[i, j] - 3


# Fused; the row is taken with the number of rows, which is right for squares only.
@T.prim_func
def wrong_2(a: T.handle, b: T.handle):
    n = T.int32()
    m = T.int32()
    A = T.match_buffer(a, (n, m), "int32")
    B = T.match_buffer(b, (n, m), "int32")
    for i in range(n):
        for j in range(T.min(n, m)):
            B[i, j] = A[i, j] - 3
