# One axis becomes two, then three; inferred.
@T.prim_func
def before(A: T.Buffer((24,), "int16"), B: T.Buffer((24,), "int16")):
    for i in range(24):
        B[i] = A[23 - i]


@T.prim_func
def right(A: T.Buffer((4, 6), "int16"), B: T.Buffer((24,), "int16")):
    for i in range(24):
        B[i] = A[3 - i // 6, 5 - i % 6]


@T.prim_func
def right_2(A: T.Buffer((2, 3, 4), "int16"), B: T.Buffer((2, 3, 4), "int16")):
    for i, j, k in T.grid(2, 3, 4):
        B[i, j, k] = A[1 - i, 2 - j, 3 - k]


# Only the outer axis is reversed.
@T.prim_func
def wrong(A: T.Buffer((4, 6), "int16"), B: T.Buffer((24,), "int16")):
    for i in range(24):
        B[i] = A[3 - i // 6, i % 6]
