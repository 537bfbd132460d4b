@T.prim_func
def before(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n,), "int32")
    B = T.match_buffer(b, (n,), "int32")
    S = T.alloc_buffer((n,), "int32")
    for i in range(n):
        S[i] = A[i] + 1
    for i in range(n):
        B[i] = S[i] * A[i]


@T.prim_func
def right(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n,), "int32")
    B = T.match_buffer(b, (n,), "int32")
    for i in range(n):
        B[i] = (A[i] + 1) * A[i]


# The last cell of the stage is not computed.
@T.prim_func
def wrong(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n,), "int32")
    B = T.match_buffer(b, (n,), "int32")
    S = T.alloc_buffer((n,), "int32")
    for i in range(n - 1):
        S[i] = A[i] + 1
    for i in range(n):
        B[i] = S[i] * A[i]
