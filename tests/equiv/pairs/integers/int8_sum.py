# A sum of products of int8 in int32, and in int8.
@T.prim_func
def before(A: T.Buffer((6,), "int8"), W: T.Buffer((6,), "int8"), B: T.Buffer((1,), "int32")):
    B[0] = 0
    for k in range(6):
        B[0] = B[0] + T.Cast("int32", A[k]) * T.Cast("int32", W[k])


# A product of two int8 fits int16.
@T.prim_func
def right(A: T.Buffer((6,), "int8"), W: T.Buffer((6,), "int8"), B: T.Buffer((1,), "int32")):
    B[0] = 0
    for k in range(6):
        B[0] = B[0] + T.Cast("int32", T.Cast("int16", A[k]) * T.Cast("int16", W[k]))


# The product wraps.
@T.prim_func
def wrong(A: T.Buffer((6,), "int8"), W: T.Buffer((6,), "int8"), B: T.Buffer((1,), "int32")):
    B[0] = 0
    for k in range(6):
        B[0] = B[0] + T.Cast("int32", A[k] * W[k])


# A sum of three products in int16: (-128)^2 * 3 does not fit.
@T.prim_func
def wrong_2(A: T.Buffer((6,), "int8"), W: T.Buffer((6,), "int8"), B: T.Buffer((1,), "int32")):
    B[0] = 0
    for k in range(2):
        B[0] = B[0] + T.Cast("int32", T.Cast("int16", A[k * 3]) * T.Cast("int16", W[k * 3]) + T.Cast("int16", A[k * 3 + 1]) * T.Cast("int16", W[k * 3 + 1]) + T.Cast("int16", A[k * 3 + 2]) * T.Cast("int16", W[k * 3 + 2]))
