# Any size.
@T.prim_func
def before(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n,), "float32")
    B = T.match_buffer(b, (n,), "float32")
    for i in range(n):
        B[i] = A[i] * T.float32(2) + T.float32(1)


@T.prim_func
def right(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n,), "float32")
    B = T.match_buffer(b, (n,), "float32")
    for i in range(n):
        B[n - 1 - i] = T.float32(1) + A[n - 1 - i] * T.float32(2)


@T.prim_func
def right_2(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n,), "float32")
    B = T.match_buffer(b, (n,), "float32")
    for io in T.parallel((n + 3) // 4):
        for ii in T.vectorized(4):
            if io * 4 + ii < n:
                B[io * 4 + ii] = A[io * 4 + ii] * T.float32(2) + T.float32(1)


# The tail is dropped.
@T.prim_func
def wrong(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n,), "float32")
    B = T.match_buffer(b, (n,), "float32")
    for io, ii in T.grid(n // 4, 4):
        B[io * 4 + ii] = A[io * 4 + ii] * T.float32(2) + T.float32(1)


# No guard: out of bounds where n is no multiple of four.
@T.prim_func
def wrong_2(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n,), "float32")
    B = T.match_buffer(b, (n,), "float32")
    for io, ii in T.grid((n + 3) // 4, 4):
        B[io * 4 + ii] = A[io * 4 + ii] * T.float32(2) + T.float32(1)


# Fine up to five.
@T.prim_func
def wrong_3(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n,), "float32")
    B = T.match_buffer(b, (n,), "float32")
    for i in range(n):
        B[i] = A[T.if_then_else(i == 5, 4, i)] * T.float32(2) + T.float32(1)
