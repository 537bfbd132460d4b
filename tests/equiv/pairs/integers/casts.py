# Widening keeps the value, narrowing and widening again does not.
@T.prim_func
def before(A: T.Buffer((4,), "int16"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = T.Cast("int32", A[i])


@T.prim_func
def right(A: T.Buffer((4,), "int16"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = T.Cast("int32", T.Cast("int16", T.Cast("int64", A[i])))


@T.prim_func
def right_2(A: T.Buffer((4,), "int16"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = T.Cast("int32", T.Cast("float32", A[i]))


@T.prim_func
def wrong(A: T.Buffer((4,), "int16"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = T.Cast("int32", T.Cast("uint16", A[i]))


# float16 has eleven bits.
@T.prim_func
def wrong_2(A: T.Buffer((4,), "int16"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = T.Cast("int32", T.Cast("float16", A[i]))
