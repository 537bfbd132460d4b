# A triangular domain with its loops exchanged.
@T.prim_func
def before(A: T.Buffer((6, 6), "int32"), B: T.Buffer((6, 6), "int32")):
    for i in range(6):
        for j in range(i):
            B[i, j] = A[i, j] - A[j, i]


@T.prim_func
def right(A: T.Buffer((6, 6), "int32"), B: T.Buffer((6, 6), "int32")):
    for j in range(6):
        for i in range(j + 1, 6):
            B[i, j] = A[i, j] - A[j, i]


@T.prim_func
def right_2(A: T.Buffer((6, 6), "int32"), B: T.Buffer((6, 6), "int32")):
    for i, j in T.grid(6, 6):
        if j < i:
            B[i, j] = A[i, j] - A[j, i]


# With the diagonal.
@T.prim_func
def wrong(A: T.Buffer((6, 6), "int32"), B: T.Buffer((6, 6), "int32")):
    for j in range(6):
        for i in range(j, 6):
            B[i, j] = A[i, j] - A[j, i]


# Without the first row below it.
@T.prim_func
def wrong_2(A: T.Buffer((6, 6), "int32"), B: T.Buffer((6, 6), "int32")):
    for i, j in T.grid(6, 6):
        if j < i - 1:
            B[i, j] = A[i, j] - A[j, i]
