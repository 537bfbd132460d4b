# A border that needs its guard.
@T.prim_func
def before(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n,), "float32")
    B = T.match_buffer(b, (n,), "float32")
    for i in range(n):
        if i == 0:
            B[i] = A[i]
        else:
            B[i] = A[i] + A[i - 1]


@T.prim_func
def right(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n,), "float32")
    B = T.match_buffer(b, (n,), "float32")
    for i in range(n):
        B[i] = T.if_then_else(i > 0, A[i] + A[T.max(i - 1, 0)], A[i])


# For an empty buffer there is no cell to start from.
@T.prim_func
def wrong(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n,), "float32")
    B = T.match_buffer(b, (n,), "float32")
    B[0] = A[0]
    for i in range(1, n):
        B[i] = A[i] + A[i - 1]
