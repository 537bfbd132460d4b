# layout: A = lambda i, j: [j, i]
# Both axes have the same extent, so a mistake stays in bounds.
@T.prim_func
def before(A: T.Buffer((4, 4), "float32"), B: T.Buffer((4, 4), "float32")):
    for i, j in T.grid(4, 4):
        B[i, j] = A[i, j] * A[i, j]


@T.prim_func
def right(A: T.Buffer((4, 4), "float32"), B: T.Buffer((4, 4), "float32")):
    for i, j in T.grid(4, 4):
        B[i, j] = A[j, i] * A[j, i]


@T.prim_func
def right_2(A: T.Buffer((4, 4), "float32"), B: T.Buffer((4, 4), "float32")):
    for j, i in T.grid(4, 4):
        x: T.float32 = A[j, i]
        B[i, j] = x * x


# The layout was forgotten.
@T.prim_func
def wrong(A: T.Buffer((4, 4), "float32"), B: T.Buffer((4, 4), "float32")):
    for i, j in T.grid(4, 4):
        B[i, j] = A[i, j] * A[i, j]


# It was forgotten in one of two loads.
@T.prim_func
def wrong_2(A: T.Buffer((4, 4), "float32"), B: T.Buffer((4, 4), "float32")):
    for i, j in T.grid(4, 4):
        B[i, j] = A[j, i] * A[i, j]
