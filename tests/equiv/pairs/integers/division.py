# Floor and truncation differ on negative numbers.
@T.prim_func
def before(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = A[i] // 4 + A[i] % 4


@T.prim_func
def right(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = T.shift_right(A[i], 2) + (A[i] & 3)


@T.prim_func
def right_2(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = A[i] - A[i] // 4 * 3


@T.prim_func
def wrong(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = T.truncdiv(A[i], 4) + T.truncmod(A[i], 4)


@T.prim_func
def wrong_2(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = T.truncdiv(A[i], 4) + (A[i] & 3)
