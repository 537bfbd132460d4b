# Doubling a float16 is exact; adding +0.0 loses the sign of a zero.
@T.prim_func
def before(A: T.Buffer((1,), "float16"), B: T.Buffer((1,), "float16")):
    B[0] = A[0] + A[0] + A[0]


@T.prim_func
def right(A: T.Buffer((1,), "float16"), B: T.Buffer((1,), "float16")):
    twice: T.float16 = A[0] * T.float16(2)
    B[0] = A[0] + twice


@T.prim_func
def wrong(A: T.Buffer((1,), "float16"), B: T.Buffer((1,), "float16")):
    B[0] = A[0] * T.float16(3) + T.float16(0)
