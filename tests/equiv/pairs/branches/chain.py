# The order of conditions that overlap.
@T.prim_func
def before(A: T.Buffer((6,), "int32"), B: T.Buffer((6,), "int32")):
    for i in range(6):
        if A[i] > 10:
            B[i] = 2
        elif A[i] > 5:
            B[i] = 1
        else:
            B[i] = 0


@T.prim_func
def right(A: T.Buffer((6,), "int32"), B: T.Buffer((6,), "int32")):
    for i in range(6):
        B[i] = T.Cast("int32", A[i] > 10) + T.Cast("int32", A[i] > 5)


@T.prim_func
def wrong(A: T.Buffer((6,), "int32"), B: T.Buffer((6,), "int32")):
    for i in range(6):
        if A[i] > 5:
            B[i] = 1
        elif A[i] > 10:
            B[i] = 2
        else:
            B[i] = 0


# The second condition sees what the first one stored.
@T.prim_func
def wrong_2(A: T.Buffer((6,), "int32"), B: T.Buffer((6,), "int32")):
    for i in range(6):
        B[i] = A[i]
        if B[i] > 10:
            B[i] = 2
        if B[i] > 5:
            B[i] = 1
        else:
            B[i] = 0
