@T.prim_func
def before(A: T.Buffer((3,), "float32"), B: T.Buffer((1,), "float32")):
    acc = T.alloc_buffer((1,), "float64")
    acc[0] = T.float64(0)
    for k in range(3):
        acc[0] = acc[0] + T.Cast("float64", A[k])
    B[0] = T.Cast("float32", acc[0])


@T.prim_func
def right(A: T.Buffer((3,), "float32"), B: T.Buffer((1,), "float32")):
    B[0] = T.Cast("float32", T.float64(0) + T.Cast("float64", A[0]) + T.Cast("float64", A[1]) + T.Cast("float64", A[2]))


@T.prim_func
def wrong(A: T.Buffer((3,), "float32"), B: T.Buffer((1,), "float32")):
    B[0] = T.float32(0)
    for k in range(3):
        B[0] = B[0] + A[k]
