# Only the low eight bits are kept, so the sum may wrap on the way.
@T.prim_func
def before(A: T.Buffer((6,), "int8"), B: T.Buffer((1,), "int8")):
    acc = T.alloc_buffer((1,), "int32")
    acc[0] = 0
    for k in range(6):
        acc[0] = acc[0] + T.Cast("int32", A[k]) * 3
    B[0] = T.Cast("int8", acc[0])


@T.prim_func
def right(A: T.Buffer((6,), "int8"), B: T.Buffer((1,), "int8")):
    B[0] = T.int8(0)
    for k in range(6):
        B[0] = B[0] + A[k] * T.int8(3)


# Saturation is something else.
@T.prim_func
def wrong(A: T.Buffer((6,), "int8"), B: T.Buffer((1,), "int8")):
    acc = T.alloc_buffer((1,), "int32")
    acc[0] = 0
    for k in range(6):
        acc[0] = acc[0] + T.Cast("int32", A[k]) * 3
    B[0] = T.Cast("int8", T.max(T.min(acc[0], 127), -128))
