# A scalar argument beside the sizes.
@T.prim_func
def before(s: T.int32, a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n,), "int32")
    B = T.match_buffer(b, (n,), "int32")
    for i in range(n):
        B[i] = A[i] * s + 1


@T.prim_func
def right(s: T.int32, a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n,), "int32")
    B = T.match_buffer(b, (n,), "int32")
    for i in T.parallel(n):
        B[i] = 1 + s * A[i]


# A scale of zero is not one.
@T.prim_func
def wrong(s: T.int32, a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n,), "int32")
    B = T.match_buffer(b, (n,), "int32")
    for i in range(n):
        B[i] = A[i] * T.max(s, 1) + 1
