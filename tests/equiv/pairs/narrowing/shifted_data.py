# The high half of a product needs all of its bits.
@T.prim_func
def before(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = T.Cast("int32", T.shift_right(T.Cast("int64", A[i]) * T.int64(3), T.int64(1)))


@T.prim_func
def right(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = T.Cast("int32", T.floordiv(T.Cast("int64", A[i]) * T.int64(3), T.int64(2)))


@T.prim_func
def right_2(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = A[i] + T.shift_right(A[i], 1)


@T.prim_func
def wrong(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = T.shift_right(A[i] * 3, 1)
