# Reading the neighbour's cell that another iteration writes.
@T.prim_func
def before(A: T.Buffer((8,), "int32")):
    for i in range(7):
        A[i + 1] = A[i + 1] + 1
        if i % 2 == 0:
            A[i + 1] = A[i + 1] + A[i]


# Only even cells are read, and odd ones written, in the loop that is parallel.
@T.prim_func
def right(A: T.Buffer((8,), "int32")):
    for i in T.parallel(1, 8):
        A[i] = A[i] + 1
    for i in T.parallel(4):
        A[i * 2 + 1] = A[i * 2 + 1] + A[i * 2]


@T.prim_func
def wrong(A: T.Buffer((8,), "int32")):
    for i in T.parallel(7):
        A[i + 1] = A[i + 1] + 1
        if i % 2 == 0:
            A[i + 1] = A[i + 1] + A[i]
