# Storing undef gives permission to leave any value.
@T.prim_func
def before(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = A[i]
    B[3] = T.undef(dtype="int32")


@T.prim_func
def right(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(3):
        B[i] = A[i]


@T.prim_func
def right_2(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = A[i]


@T.prim_func
def right_3(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = T.if_then_else(i < 3, A[i], T.undef(dtype="int32"))


# Another cell is left.
@T.prim_func
def wrong(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(1, 4):
        B[i] = A[i]


# And here one too many.
@T.prim_func
def wrong_2(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = T.if_then_else(i < 2, A[i], T.undef(dtype="int32"))
