# A fact from an assume, and without it.
@T.prim_func
def before(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        T.assume(A[i] >= 0)
    for i in range(8):
        B[i] = T.truncdiv(A[i], 4)


@T.prim_func
def right(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = A[i] // 4


@T.prim_func
def right_2(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        T.assume(A[i] > -3)
        B[i] = T.shift_right(A[i], 2)


# It says nothing of the greatest value.
@T.prim_func
def wrong(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = T.truncdiv(A[i] + 1, 4)


# Nor does it say that there is no zero: this assume may be false.
@T.prim_func
def wrong_2(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        T.assume(A[i] > 0)
        B[i] = A[i] // 4
