# A tile is copied before it is used.
@T.prim_func
def before(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = A[i] * A[i // 4 * 4]


@T.prim_func
def right(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for io in range(4):
        with T.block("tile"):
            vo = T.axis.spatial(4, io)
            cache = T.alloc_buffer((4,), "float32")
            for ii in range(4):
                cache[ii] = A[vo * 4 + ii]
            for ii in range(4):
                B[vo * 4 + ii] = cache[ii] * cache[0]


# One cell of the tile is not copied.
@T.prim_func
def wrong(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for io in range(4):
        with T.block("tile"):
            vo = T.axis.spatial(4, io)
            cache = T.alloc_buffer((4,), "float32")
            for ii in range(3):
                cache[ii] = A[vo * 4 + ii]
            for ii in range(4):
                B[vo * 4 + ii] = cache[ii] * cache[0]


# The cache is filled once, for the first tile.
@T.prim_func
def wrong_2(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    with T.block("root"):
        cache = T.alloc_buffer((4,), "float32")
        for ii in range(4):
            cache[ii] = A[ii]
        for io, ii in T.grid(4, 4):
            B[io * 4 + ii] = cache[ii] * cache[0]
