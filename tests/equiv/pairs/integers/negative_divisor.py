@T.prim_func
def before(A: T.Buffer((4,), "int16"), B: T.Buffer((4,), "int16")):
    for i in range(4):
        B[i] = A[i] // T.int16(-3)


@T.prim_func
def right(A: T.Buffer((4,), "int16"), B: T.Buffer((4,), "int16")):
    for i in range(4):
        B[i] = T.Cast("int16", (0 - T.Cast("int32", A[i])) // 3)


# The least int16 has no negation in int16.
@T.prim_func
def wrong(A: T.Buffer((4,), "int16"), B: T.Buffer((4,), "int16")):
    for i in range(4):
        B[i] = (T.int16(0) - A[i]) // T.int16(3)


@T.prim_func
def wrong_2(A: T.Buffer((4,), "int16"), B: T.Buffer((4,), "int16")):
    for i in range(4):
        B[i] = T.int16(0) - A[i] // T.int16(3)
