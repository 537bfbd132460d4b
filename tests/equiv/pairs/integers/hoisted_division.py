# A division by zero that only some inputs reach.
@T.prim_func
def before(A: T.Buffer((4,), "int32"), D: T.Buffer((1,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = A[i]
        if D[0] > 0:
            B[i] = A[i] // D[0]


@T.prim_func
def right(A: T.Buffer((4,), "int32"), D: T.Buffer((1,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = T.if_then_else(D[0] > 0, A[i] // T.max(D[0], 1), A[i])


@T.prim_func
def right_2(A: T.Buffer((4,), "int32"), D: T.Buffer((1,), "int32"), B: T.Buffer((4,), "int32")):
    if D[0] > 0:
        for i in range(4):
            B[i] = A[i] // D[0]
    else:
        for i in range(4):
            B[i] = A[i]


@T.prim_func
def wrong(A: T.Buffer((4,), "int32"), D: T.Buffer((1,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = T.Select(D[0] > 0, A[i] // D[0], A[i])


# The division is computed ahead of the loop.
@T.prim_func
def wrong_2(A: T.Buffer((4,), "int32"), D: T.Buffer((1,), "int32"), B: T.Buffer((4,), "int32")):
    unit: T.int32 = 1 // D[0]
    for i in range(4):
        B[i] = A[i]
        if D[0] > 0:
            if unit >= 0:
                B[i] = A[i] // D[0]
