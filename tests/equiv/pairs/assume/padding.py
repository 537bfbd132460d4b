# Cells of padding that are zero: the sum may run over them.
@T.prim_func
def before(A: T.Buffer((2, 4), "int32"), B: T.Buffer((1,), "int32")):
    for i, j in T.grid(2, 4):
        T.assume(i * 4 + j < 6 or A[i, j] == 0)
    B[0] = 0
    for i in range(6):
        B[0] = B[0] + A[i // 4, i % 4]


@T.prim_func
def right(A: T.Buffer((2, 4), "int32"), B: T.Buffer((1,), "int32")):
    B[0] = 0
    for i, j in T.grid(2, 4):
        B[0] = B[0] + A[i, j]


# The assume is false where its own product has no zero: one is added.
@T.prim_func
def wrong(A: T.Buffer((2, 4), "int32"), B: T.Buffer((1,), "int32")):
    B[0] = 1
    for i, j in T.grid(2, 4):
        B[0] = B[0] + A[i, j]


# Nothing is assumed of A[1, 1].
@T.prim_func
def wrong_2(A: T.Buffer((2, 4), "int32"), B: T.Buffer((1,), "int32")):
    B[0] = 0
    for i in range(5):
        B[0] = B[0] + A[i // 4, i % 4]
