# Doubling and halving: the highest bit is lost.
@T.prim_func
def before(A: T.Buffer((4,), "int16"), B: T.Buffer((4,), "int16")):
    for i in range(4):
        B[i] = T.floordiv(A[i] * T.int16(2), T.int16(2))


@T.prim_func
def right(A: T.Buffer((4,), "int16"), B: T.Buffer((4,), "int16")):
    for i in range(4):
        B[i] = T.shift_right(T.shift_left(A[i], T.int16(1)), T.int16(1))


@T.prim_func
def wrong(A: T.Buffer((4,), "int16"), B: T.Buffer((4,), "int16")):
    for i in range(4):
        B[i] = A[i]


# The order of the two matters as well.
@T.prim_func
def wrong_2(A: T.Buffer((4,), "int16"), B: T.Buffer((4,), "int16")):
    for i in range(4):
        B[i] = T.floordiv(A[i], T.int16(2)) * T.int16(2)
