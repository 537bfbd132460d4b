# A million cells.
@T.prim_func
def before(A: T.Buffer((1048576,), "float32"), B: T.Buffer((1048576,), "float32")):
    for i in range(1048576):
        B[i] = A[i] + T.float32(1)


@T.prim_func
def right(A: T.Buffer((1048576,), "float32"), B: T.Buffer((1048576,), "float32")):
    for io in T.parallel(8192):
        for ii in T.vectorized(128):
            B[io * 128 + ii] = A[io * 128 + ii] + T.float32(1)


# One cell of a million is taken from its neighbour.
@T.prim_func
def wrong(A: T.Buffer((1048576,), "float32"), B: T.Buffer((1048576,), "float32")):
    for i in range(1048576):
        B[i] = A[T.if_then_else(i == 777777, 777776, i)] + T.float32(1)
