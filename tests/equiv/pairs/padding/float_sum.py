# Adding a padded zero to a sum that started at +0.0 changes nothing: such a sum is never -0.0.
# layout: A = lambda i: [i // 4, i % 4]
# pad: A = 0
@T.prim_func
def before(A: T.Buffer((6,), "float32"), B: T.Buffer((1,), "float32"), C: T.Buffer((8,), "float32")):
    B[0] = 0.0
    for i in range(6):
        B[0] = B[0] + A[i]


@T.prim_func
def right(A: T.Buffer((2, 4), "float32"), B: T.Buffer((1,), "float32"), C: T.Buffer((8,), "float32")):
    B[0] = 0.0
    for i, j in T.grid(2, 4):
        B[0] = B[0] + A[i, j]


# pad: A = -0.0
@T.prim_func
def right_2(A: T.Buffer((2, 4), "float32"), B: T.Buffer((1,), "float32"), C: T.Buffer((8,), "float32")):
    B[0] = 0.0
    for i, j in T.grid(2, 4):
        B[0] = B[0] + A[i, j]


# A zero times something is not zero when that is infinite.
@T.prim_func
def wrong(A: T.Buffer((2, 4), "float32"), B: T.Buffer((1,), "float32"), C: T.Buffer((8,), "float32")):
    B[0] = 0.0
    for i, j in T.grid(2, 4):
        B[0] = B[0] + T.Select(i * 4 + j < 6, A[i, j], A[i, j] * C[i * 4 + j])


# Starting from the first value, not from +0.0: all values -0.0 give -0.0.
@T.prim_func
def wrong_2(A: T.Buffer((2, 4), "float32"), B: T.Buffer((1,), "float32"), C: T.Buffer((8,), "float32")):
    B[0] = A[0, 0]
    for i in range(5):
        B[0] = B[0] + A[(i + 1) // 4, (i + 1) % 4]
