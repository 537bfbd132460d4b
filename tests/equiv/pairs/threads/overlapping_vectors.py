# A shift by one, as one vector and one by one.
@T.prim_func
def before(A: T.Buffer((5,), "int32")):
    A[1:5] = A[0:4]


@T.prim_func
def right(A: T.Buffer((5,), "int32")):
    for i in range(4):
        A[4 - i] = A[3 - i]


@T.prim_func
def wrong(A: T.Buffer((5,), "int32")):
    for i in range(4):
        A[i + 1] = A[i]
