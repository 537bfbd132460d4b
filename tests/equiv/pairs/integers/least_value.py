# The least integer divided by -1 is an error, also of the remainder; its absolute value is itself.
@T.prim_func
def before(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = T.Select(A[i] < 0, 0 - A[i], A[i])


@T.prim_func
def right(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = (A[i] ^ T.shift_right(A[i], 31)) - T.shift_right(A[i], 31)


@T.prim_func
def right_2(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = T.max(A[i], ~A[i] + 1)
        if A[i] == T.min_value("int32"):
            B[i] = A[i]


# An error for the least integer.
@T.prim_func
def wrong(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        x: T.int32 = T.Select(A[i] < 0, -1, 1)
        B[i] = A[i] // x


# One too small for negative numbers.
@T.prim_func
def wrong_2(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = A[i] ^ T.shift_right(A[i], 31)
