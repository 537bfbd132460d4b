# Each cell needs its right upper neighbour: exchanging the loops takes its old value.
@T.prim_func
def before(A: T.Buffer((5, 5), "int32")):
    for i, j in T.grid(4, 4):
        A[i + 1, j] = A[i, j + 1] + 1


# Row by row from the right is as good.
@T.prim_func
def right(A: T.Buffer((5, 5), "int32")):
    for i, j in T.grid(4, 4):
        A[i + 1, 3 - j] = A[i, 4 - j] + 1


@T.prim_func
def wrong(A: T.Buffer((5, 5), "int32")):
    for j, i in T.grid(4, 4):
        A[i + 1, j] = A[i, j + 1] + 1
