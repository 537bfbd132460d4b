# An index from a buffer, that its remainder keeps in bounds.
@T.prim_func
def before(A: T.Buffer((8,), "float32"), I: T.Buffer((6,), "int32"), B: T.Buffer((6,), "float32")):
    for i in range(6):
        B[i] = A[I[i] % 8]


@T.prim_func
def right(A: T.Buffer((8,), "float32"), I: T.Buffer((6,), "int32"), B: T.Buffer((6,), "float32")):
    for i in range(6):
        B[i] = A[I[i] & 7]


# Negative indices are out of bounds.
@T.prim_func
def wrong(A: T.Buffer((8,), "float32"), I: T.Buffer((6,), "int32"), B: T.Buffer((6,), "float32")):
    for i in range(6):
        B[i] = A[T.truncmod(I[i], 8)]


@T.prim_func
def wrong_2(A: T.Buffer((8,), "float32"), I: T.Buffer((6,), "int32"), B: T.Buffer((6,), "float32")):
    for i in range(6):
        B[i] = A[T.max(T.min(I[i], 7), 0)]
