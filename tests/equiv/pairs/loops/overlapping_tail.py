# The overlapping last tile is wrong where cells are updated in place.
@T.prim_func
def before(A: T.Buffer((14,), "int32")):
    for i in range(14):
        A[i] = A[i] * 3


@T.prim_func
def right(A: T.Buffer((14,), "int32")):
    for io, ii in T.grid(4, 4):
        if ii < 14 - io * 4:
            A[io * 4 + ii] = A[io * 4 + ii] * 3


@T.prim_func
def wrong(A: T.Buffer((14,), "int32")):
    for io, ii in T.grid(4, 4):
        A[T.min(io * 4, 10) + ii] = A[T.min(io * 4, 10) + ii] * 3
