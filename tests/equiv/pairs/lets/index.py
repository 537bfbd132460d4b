# Lets of index arithmetic.
@T.prim_func
def before(A: T.Buffer((4, 8), "float32"), B: T.Buffer((32,), "float32")):
    for f in range(32):
        row = f // 8
        column = f % 8
        B[f] = A[row, column]


@T.prim_func
def right(A: T.Buffer((4, 8), "float32"), B: T.Buffer((32,), "float32")):
    for f in range(32):
        B[f] = A[f // 8, f - f // 8 * 8]


@T.prim_func
def right_2(A: T.Buffer((4, 8), "float32"), B: T.Buffer((32,), "float32")):
    for row, column in T.grid(4, 8):
        at = row * 8 + column
        B[at] = A[row, column]


# The remainder of the row, not of the flat index.
@T.prim_func
def wrong(A: T.Buffer((4, 8), "float32"), B: T.Buffer((32,), "float32")):
    for f in range(32):
        row = f // 8
        column = (f - row) % 8
        B[f] = A[row, column]
