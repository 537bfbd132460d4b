# Both buffers flattened; the map follows from the shapes.
@T.prim_func
def before(A: T.Buffer((4, 6), "float32"), B: T.Buffer((4, 6), "float32")):
    for i, j in T.grid(4, 6):
        B[i, j] = A[i, j] + 1.0


@T.prim_func
def right(A: T.Buffer((24,), "float32"), B: T.Buffer((24,), "float32")):
    for i in range(24):
        B[i] = A[i] + 1.0


@T.prim_func
def right_2(A: T.Buffer((24,), "float32"), B: T.Buffer((4, 6), "float32")):
    for i, j in T.grid(4, 6):
        B[i, j] = A[i * 6 + j] + 1.0


# The stride of the other axis: in bounds all the time.
@T.prim_func
def wrong(A: T.Buffer((24,), "float32"), B: T.Buffer((4, 6), "float32")):
    for i, j in T.grid(4, 6):
        B[i, j] = A[i * 4 + j] + 1.0


# Column by column.
@T.prim_func
def wrong_2(A: T.Buffer((24,), "float32"), B: T.Buffer((24,), "float32")):
    for i, j in T.grid(4, 6):
        B[j * 4 + i] = A[j * 4 + i] + 1.0
        B[i * 6 + j] = A[j * 4 + i] + 1.0
