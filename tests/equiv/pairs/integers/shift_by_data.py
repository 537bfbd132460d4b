# A shift by the width or more is an error: before it is guarded.
@T.prim_func
def before(A: T.Buffer((4,), "int32"), S: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        if 0 <= S[i] and S[i] < 31:
            B[i] = T.shift_left(A[i], S[i])
        else:
            B[i] = 0


@T.prim_func
def right(A: T.Buffer((4,), "int32"), S: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = T.Select(0 <= S[i] and S[i] < 31, T.shift_left(A[i], S[i] & 31), 0)


# The shift is taken out of the branch.
@T.prim_func
def wrong(A: T.Buffer((4,), "int32"), S: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = T.Select(0 <= S[i] and S[i] < 31, T.shift_left(A[i], S[i]), 0)


# Shifting twice by half of it.
@T.prim_func
def wrong_2(A: T.Buffer((4,), "int32"), S: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        if 0 <= S[i] and S[i] < 31:
            B[i] = T.shift_left(T.shift_left(A[i], T.shift_right(S[i], 1)), T.shift_right(S[i], 1))
        else:
            B[i] = 0
