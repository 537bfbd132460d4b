# Data arithmetic wraps, so it may be narrowed as its result is.
@T.prim_func
def before(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32"), C: T.Buffer((4,), "int32")):
    for i in range(4):
        C[i] = T.Cast("int32", T.Cast("int64", A[i]) * T.Cast("int64", B[i]) + T.int64(7))


@T.prim_func
def right(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32"), C: T.Buffer((4,), "int32")):
    for i in range(4):
        C[i] = A[i] * B[i] + 7


@T.prim_func
def wrong(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32"), C: T.Buffer((4,), "int32")):
    for i in range(4):
        C[i] = T.Cast("int32", T.Cast("int16", A[i])) * B[i] + 7
