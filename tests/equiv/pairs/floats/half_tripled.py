# Doubling a float16 is exact, so three times a number is rounded once either way.
@T.prim_func
def before(A: T.Buffer((1,), "float16"), B: T.Buffer((1,), "float16")):
    B[0] = A[0] + A[0] + A[0]


@T.prim_func
def right(A: T.Buffer((1,), "float16"), B: T.Buffer((1,), "float16")):
    B[0] = A[0] * T.float16(3)


# The sign of a zero is lost.
@T.prim_func
def wrong(A: T.Buffer((1,), "float16"), B: T.Buffer((1,), "float16")):
    B[0] = A[0] * T.float16(3) + T.float16(0)
