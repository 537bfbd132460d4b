# The producer's window for each tile of the consumer.
@T.prim_func
def before(A: T.Buffer((18,), "float32"), B: T.Buffer((16,), "float32")):
    S = T.alloc_buffer((18,), "float32")
    for i in range(18):
        S[i] = A[i] * 0.5
    for i in range(16):
        B[i] = S[i] + S[i + 2]


@T.prim_func
def right(A: T.Buffer((18,), "float32"), B: T.Buffer((16,), "float32")):
    for io in range(4):
        S = T.alloc_buffer((6,), "float32")
        for k in range(6):
            S[k] = A[io * 4 + k] * 0.5
        for ii in range(4):
            B[io * 4 + ii] = S[ii] + S[ii + 2]


# The window is as wide as the tile: its last cells are not there.
@T.prim_func
def wrong(A: T.Buffer((18,), "float32"), B: T.Buffer((16,), "float32")):
    S = T.alloc_buffer((18,), "float32")
    for io in range(4):
        for k in range(4):
            S[io * 4 + k] = A[io * 4 + k] * 0.5
        for ii in range(4):
            B[io * 4 + ii] = S[io * 4 + ii] + S[io * 4 + ii + 2]


# The window starts one too late.
@T.prim_func
def wrong_2(A: T.Buffer((18,), "float32"), B: T.Buffer((16,), "float32")):
    for io in range(4):
        S = T.alloc_buffer((6,), "float32")
        for k in range(6):
            S[k] = A[T.min(io * 4 + k + 1, 17)] * 0.5
        for ii in range(4):
            B[io * 4 + ii] = S[ii] + S[ii + 2]
