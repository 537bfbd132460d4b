# A buffer in tiles of four.
# layout: A = lambda i: [i // 4, i % 4]
@T.prim_func
def before(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    for i in range(16):
        B[i] = A[i] * 2 + 1


@T.prim_func
def right(A: T.Buffer((4, 4), "int32"), B: T.Buffer((16,), "int32")):
    for i in range(16):
        B[i] = A[i // 4, i % 4] * 2 + 1


@T.prim_func
def right_2(A: T.Buffer((4, 4), "int32"), B: T.Buffer((16,), "int32")):
    for j, i in T.grid(4, 4):
        B[i * 4 + j] = A[i, j] * 2 + 1


# Tile and lane exchanged.
@T.prim_func
def wrong(A: T.Buffer((4, 4), "int32"), B: T.Buffer((16,), "int32")):
    for i in range(16):
        B[i] = A[i % 4, i // 4] * 2 + 1


# The right loops, and an index that runs over the tiles first.
@T.prim_func
def wrong_2(A: T.Buffer((4, 4), "int32"), B: T.Buffer((16,), "int32")):
    for i, j in T.grid(4, 4):
        B[j * 4 + i] = A[i, j] * 2 + 1
