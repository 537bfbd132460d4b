# Each cell needs its left upper neighbour: loops may be exchanged.
@T.prim_func
def before(A: T.Buffer((5, 5), "int32")):
    for i, j in T.grid(4, 4):
        A[i + 1, j + 1] = A[i, j] + A[i + 1, j + 1]


@T.prim_func
def right(A: T.Buffer((5, 5), "int32")):
    for j, i in T.grid(4, 4):
        A[i + 1, j + 1] = A[i, j] + A[i + 1, j + 1]


# From the end: the neighbour has its old value.
@T.prim_func
def wrong(A: T.Buffer((5, 5), "int32")):
    for i, j in T.grid(4, 4):
        A[4 - i, 4 - j] = A[3 - i, 3 - j] + A[4 - i, 4 - j]
