# An index that runs over the end of its row is out of bounds, although the memory goes on.
@T.prim_func
def before(A: T.Buffer((3, 4), "int32"), B: T.Buffer((3, 3), "int32")):
    for i, j in T.grid(3, 3):
        B[i, j] = A[i, j + 1]


@T.prim_func
def right(A: T.Buffer((3, 4), "int32"), B: T.Buffer((3, 3), "int32")):
    for i, j in T.grid(3, 3):
        B[i, 2 - j] = A[i, 3 - j]


@T.prim_func
def wrong(A: T.Buffer((3, 4), "int32"), B: T.Buffer((3, 3), "int32")):
    for i, j in T.grid(3, 3):
        B[i, j] = A[0, i * 4 + j + 1]
