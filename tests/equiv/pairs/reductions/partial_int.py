# Partial sums of integers that wrap.
@T.prim_func
def before(A: T.Buffer((12,), "int32"), B: T.Buffer((1,), "int32")):
    B[0] = 0
    for k in range(12):
        B[0] = B[0] + A[k] * A[k]


@T.prim_func
def right(A: T.Buffer((12,), "int32"), B: T.Buffer((1,), "int32")):
    P = T.alloc_buffer((4,), "int32")
    for l in T.vectorized(4):
        P[l] = 0
    for ko in range(3):
        for l in T.vectorized(4):
            P[l] = P[l] + A[ko * 4 + l] * A[ko * 4 + l]
    B[0] = 0
    for l in range(4):
        B[0] = B[0] + P[l]


# The lanes race for the sum.
@T.prim_func
def wrong(A: T.Buffer((12,), "int32"), B: T.Buffer((1,), "int32")):
    B[0] = 0
    for k in T.parallel(12):
        B[0] = B[0] + A[k] * A[k]


# The partial sums are not cleared.
@T.prim_func
def wrong_2(A: T.Buffer((12,), "int32"), B: T.Buffer((1,), "int32")):
    P = T.alloc_buffer((4,), "int32")
    for l in range(4):
        P[l] = 0
    for ko, l in T.grid(3, 4):
        P[l] = P[l] + A[ko * 4 + l] * A[ko * 4 + l]
    B[0] = 0
    for l in range(3):
        B[0] = B[0] + P[l]
