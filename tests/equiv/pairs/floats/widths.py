# To a wider type and back is exact, to a narrower one is not.
@T.prim_func
def before(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
    for i in range(4):
        B[i] = A[i]


@T.prim_func
def right(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
    for i in range(4):
        B[i] = T.Cast("float32", T.Cast("float64", A[i]))


@T.prim_func
def wrong(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
    for i in range(4):
        B[i] = T.Cast("float32", T.Cast("float16", A[i]))
