# RFC 77's window sum: the initial value and the sum go apart.
@T.prim_func
def before(A: T.Buffer((16,), "int32"), B: T.Buffer((14,), "int32")):
    for i in range(14):
        B[i] = 0
        for t in range(3):
            B[i] = B[i] + A[i + t]


@T.prim_func
def right(A: T.Buffer((16,), "int32"), B: T.Buffer((14,), "int32")):
    for i in range(14):
        B[i] = 0
    for i, t in T.grid(14, 3):
        B[i] = B[i] + A[i + t]


@T.prim_func
def right_2(A: T.Buffer((16,), "int32"), B: T.Buffer((14,), "int32")):
    for i in range(14):
        B[i] = 0
    for t, i in T.grid(3, 14):
        B[i] = B[i] + A[i + t]


# The initial value comes last.
@T.prim_func
def wrong(A: T.Buffer((16,), "int32"), B: T.Buffer((14,), "int32")):
    for i, t in T.grid(14, 3):
        B[i] = B[i] + A[i + t]
    for i in range(14):
        B[i] = 0


# It comes in each step.
@T.prim_func
def wrong_2(A: T.Buffer((16,), "int32"), B: T.Buffer((14,), "int32")):
    for i, t in T.grid(14, 3):
        B[i] = 0
        B[i] = B[i] + A[i + t]
