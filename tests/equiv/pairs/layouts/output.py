# A layout of what is written, with the digits exchanged.
# layout: B = lambda i: [i % 4, i // 4]
@T.prim_func
def before(A: T.Buffer((12,), "int32"), B: T.Buffer((12,), "int32")):
    for i in range(12):
        B[i] = A[i] * A[i]


@T.prim_func
def right(A: T.Buffer((12,), "int32"), B: T.Buffer((4, 3), "int32")):
    for i in range(12):
        B[i % 4, i // 4] = A[i] * A[i]


@T.prim_func
def right_2(A: T.Buffer((12,), "int32"), B: T.Buffer((4, 3), "int32")):
    for i, j in T.grid(4, 3):
        B[i, j] = A[j * 4 + i] * A[j * 4 + i]


# The same loops for the layout i // 3, i % 3.
@T.prim_func
def wrong(A: T.Buffer((12,), "int32"), B: T.Buffer((4, 3), "int32")):
    for i, j in T.grid(4, 3):
        B[i, j] = A[i * 3 + j] * A[i * 3 + j]


# One cell is left out.
@T.prim_func
def wrong_2(A: T.Buffer((12,), "int32"), B: T.Buffer((4, 3), "int32")):
    for i in range(11):
        B[i % 4, i // 4] = A[i] * A[i]
