# A product of bytes, rounded, shifted and clamped to a byte.
@T.prim_func
def before(A: T.Buffer((4,), "int8"), B: T.Buffer((4,), "int8"), M: T.Buffer((1,), "int16")):
    for i in range(4):
        B[i] = T.Cast("int8", T.max(T.min(T.shift_right(T.Cast("int32", A[i]) * T.Cast("int32", M[0]) + 64, 7), 127), -128))


@T.prim_func
def right(A: T.Buffer((4,), "int8"), B: T.Buffer((4,), "int8"), M: T.Buffer((1,), "int16")):
    scale: T.int32 = T.Cast("int32", M[0])
    for i in T.vectorized(4):
        B[i] = T.Cast("int8", T.min(T.max((T.Cast("int32", A[i]) * scale + 64) // 128, -128), 127))


# Rounds towards zero.
@T.prim_func
def wrong(A: T.Buffer((4,), "int8"), B: T.Buffer((4,), "int8"), M: T.Buffer((1,), "int16")):
    for i in range(4):
        B[i] = T.Cast("int8", T.max(T.min(T.truncdiv(T.Cast("int32", A[i]) * T.Cast("int32", M[0]) + 64, 128), 127), -128))


# Without the rounding.
@T.prim_func
def wrong_2(A: T.Buffer((4,), "int8"), B: T.Buffer((4,), "int8"), M: T.Buffer((1,), "int16")):
    for i in range(4):
        B[i] = T.Cast("int8", T.max(T.min(T.shift_right(T.Cast("int32", A[i]) * T.Cast("int32", M[0]), 7), 127), -128))
