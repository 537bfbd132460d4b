# A cast to an integer that does not fit is an error, so it must stay under its guard.
@T.prim_func
def before(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = 0
        if A[i] > T.float32(-1000) and A[i] < T.float32(1000):
            B[i] = T.Cast("int32", A[i])


@T.prim_func
def right(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = T.if_then_else(A[i] > T.float32(-1000) and A[i] < T.float32(1000), T.Cast("int32", A[i]), 0)


@T.prim_func
def wrong(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = T.Select(A[i] > T.float32(-1000) and A[i] < T.float32(1000), T.Cast("int32", A[i]), 0)


# A NaN passes this guard.
@T.prim_func
def wrong_2(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = 0
        if not (A[i] <= T.float32(-1000) or A[i] >= T.float32(1000)):
            B[i] = T.Cast("int32", A[i])
