# A store under a condition on data, and without one.
@T.prim_func
def before(A: T.Buffer((6,), "int32"), B: T.Buffer((6,), "int32")):
    for i in range(6):
        if A[i] > 0:
            B[i] = A[i]


@T.prim_func
def right(A: T.Buffer((6,), "int32"), B: T.Buffer((6,), "int32")):
    for i in range(6):
        B[i] = T.Select(A[i] > 0, A[i], B[i])


@T.prim_func
def right_2(A: T.Buffer((6,), "int32"), B: T.Buffer((6,), "int32")):
    for i in range(6):
        if not A[i] <= 0:
            B[i] = T.max(A[i], 1)


@T.prim_func
def wrong(A: T.Buffer((6,), "int32"), B: T.Buffer((6,), "int32")):
    for i in range(6):
        B[i] = T.Select(A[i] > 0, A[i], 0)


@T.prim_func
def wrong_2(A: T.Buffer((6,), "int32"), B: T.Buffer((6,), "int32")):
    for i in range(6):
        if A[i] >= 0:
            B[i] = A[i]
