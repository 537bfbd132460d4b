# From float64 to float16 by way of float32 rounds twice.
@T.prim_func
def before(A: T.Buffer((4,), "float64"), B: T.Buffer((4,), "float16")):
    for i in range(4):
        B[i] = T.Cast("float16", A[i])


@T.prim_func
def right(A: T.Buffer((4,), "float64"), B: T.Buffer((4,), "float16")):
    for i in range(4):
        B[3 - i] = T.Cast("float16", A[3 - i])


@T.prim_func
def wrong(A: T.Buffer((4,), "float64"), B: T.Buffer((4,), "float16")):
    for i in range(4):
        B[i] = T.Cast("float16", T.Cast("float32", A[i]))
