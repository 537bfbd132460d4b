# The next tile is loaded while this one is used.
@T.prim_func
def before(A: T.Buffer((4, 4), "float32"), B: T.Buffer((4, 4), "float32")):
    for i in range(4):
        tile = T.alloc_buffer((4,), "float32")
        for j in range(4):
            tile[j] = A[i, j]
        for j in range(4):
            B[i, j] = tile[3 - j] * 2.0


@T.prim_func
def right(A: T.Buffer((4, 4), "float32"), B: T.Buffer((4, 4), "float32")):
    tile = T.alloc_buffer((2, 4), "float32")
    for j in range(4):
        tile[0, j] = A[0, j]
    for i in range(4):
        if i < 3:
            for j in range(4):
                tile[(i + 1) % 2, j] = A[i + 1, j]
        for j in range(4):
            B[i, j] = tile[i % 2, 3 - j] * 2.0


# One half only.
@T.prim_func
def wrong(A: T.Buffer((4, 4), "float32"), B: T.Buffer((4, 4), "float32")):
    tile = T.alloc_buffer((1, 4), "float32")
    for j in range(4):
        tile[0, j] = A[0, j]
    for i in range(4):
        if i < 3:
            for j in range(4):
                tile[0, j] = A[i + 1, j]
        for j in range(4):
            B[i, j] = tile[0, 3 - j] * 2.0


# The other half is read.
@T.prim_func
def wrong_2(A: T.Buffer((4, 4), "float32"), B: T.Buffer((4, 4), "float32")):
    tile = T.alloc_buffer((2, 4), "float32")
    for j in range(4):
        tile[0, j] = A[0, j]
    for i in range(4):
        if i < 3:
            for j in range(4):
                tile[(i + 1) % 2, j] = A[i + 1, j]
        for j in range(4):
            B[i, j] = tile[(i + 1) % 2, 3 - j] * 2.0


# The prefetch is not guarded.
@T.prim_func
def wrong_3(A: T.Buffer((4, 4), "float32"), B: T.Buffer((4, 4), "float32")):
    tile = T.alloc_buffer((2, 4), "float32")
    for j in range(4):
        tile[0, j] = A[0, j]
    for i in range(4):
        for j in range(4):
            tile[(i + 1) % 2, j] = A[i + 1, j]
        for j in range(4):
            B[i, j] = tile[i % 2, 3 - j] * 2.0
