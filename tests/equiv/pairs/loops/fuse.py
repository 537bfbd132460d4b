@T.prim_func
def before(A: T.Buffer((4, 6), "float32"), B: T.Buffer((4, 6), "float32")):
    for i, j in T.grid(4, 6):
        B[i, j] = A[i, j] * 2.0


@T.prim_func
def right(A: T.Buffer((4, 6), "float32"), B: T.Buffer((4, 6), "float32")):
    for f in range(24):
        B[f // 6, f % 6] = A[f // 6, f % 6] * 2.0


# Another order of the same cells.
@T.prim_func
def right_2(A: T.Buffer((4, 6), "float32"), B: T.Buffer((4, 6), "float32")):
    for f in range(24):
        B[f % 4, f // 4] = A[f % 4, f // 4] * 2.0


# Quotient and remainder by different numbers: row and column stay in bounds.
@T.prim_func
def wrong(A: T.Buffer((4, 6), "float32"), B: T.Buffer((4, 6), "float32")):
    for f in range(24):
        B[f // 6, f % 4] = A[f // 6, f % 4] * 2.0


# By four and six, which are no digits of one number: some cells are left out.
@T.prim_func
def wrong_2(A: T.Buffer((4, 6), "float32"), B: T.Buffer((4, 6), "float32")):
    for f in range(24):
        B[f % 4, f % 6] = A[f % 4, f % 6] * 2.0
