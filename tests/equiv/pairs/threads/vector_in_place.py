# A vector is read whole before it is written.
@T.prim_func
def before(A: T.Buffer((8,), "int32")):
    A[0:4] = A[0:4] + A[4:8]
    A[4:8] = A[0:4]


@T.prim_func
def right(A: T.Buffer((8,), "int32")):
    for i in range(4):
        A[i] = A[i + 4] + A[i]
    for i in range(4):
        A[i + 4] = A[i]


@T.prim_func
def right_2(A: T.Buffer((8,), "int32")):
    for i in range(4):
        A[i] = A[i + 4] + A[i]
        A[i + 4] = A[i]


# The copy comes first.
@T.prim_func
def wrong(A: T.Buffer((8,), "int32")):
    A[4:8] = A[0:4]
    A[0:4] = A[0:4] + A[4:8]
