# Channels in blocks of four behind the columns, as convolutions on vector units have it.
# layout: A = lambda c, y, x: [c // 4, y, x, c % 4]
# layout: B = lambda c, y, x: [c // 4, y, x, c % 4]
@T.prim_func
def before(A: T.Buffer((8, 2, 3), "float32"), B: T.Buffer((8, 2, 3), "float32"), S: T.Buffer((8,), "float32")):
    for c, y, x in T.grid(8, 2, 3):
        B[c, y, x] = A[c, y, x] * S[c]


@T.prim_func
def right(A: T.Buffer((2, 2, 3, 4), "float32"), B: T.Buffer((2, 2, 3, 4), "float32"), S: T.Buffer((8,), "float32")):
    for co, y, x in T.grid(2, 2, 3):
        for ci in T.vectorized(4):
            B[co, y, x, ci] = A[co, y, x, ci] * S[co * 4 + ci]


# The scale of the wrong channel.
@T.prim_func
def wrong(A: T.Buffer((2, 2, 3, 4), "float32"), B: T.Buffer((2, 2, 3, 4), "float32"), S: T.Buffer((8,), "float32")):
    for co, y, x in T.grid(2, 2, 3):
        for ci in T.vectorized(4):
            B[co, y, x, ci] = A[co, y, x, ci] * S[ci * 2 + co]
