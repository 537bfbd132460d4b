@T.prim_func
def before(A: T.Buffer((6,), "int32"), B: T.Buffer((1,), "int32")):
    B[0] = T.min_value("int32")
    for k in range(6):
        B[0] = T.max(B[0], A[k])


@T.prim_func
def right(A: T.Buffer((6,), "int32"), B: T.Buffer((1,), "int32")):
    B[0] = A[5]
    for k in range(5):
        B[0] = T.max(A[k], B[0])


@T.prim_func
def right_2(A: T.Buffer((6,), "int32"), B: T.Buffer((1,), "int32")):
    B[0] = T.max(T.max(T.max(A[0], A[3]), T.max(A[1], A[4])), T.max(A[2], A[5]))


# Zero is not the least integer.
@T.prim_func
def wrong(A: T.Buffer((6,), "int32"), B: T.Buffer((1,), "int32")):
    B[0] = 0
    for k in range(6):
        B[0] = T.max(B[0], A[k])


# Comparing by the sign of a difference, which wraps.
@T.prim_func
def wrong_2(A: T.Buffer((6,), "int32"), B: T.Buffer((1,), "int32")):
    B[0] = A[0]
    for k in range(1, 6):
        B[0] = T.Select(A[k] - B[0] > 0, A[k], B[0])
