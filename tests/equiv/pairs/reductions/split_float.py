# A float sum whose loop is split: the same order, or two partial sums.
@T.prim_func
def before(A: T.Buffer((8,), "float32"), B: T.Buffer((1,), "float32")):
    B[0] = T.float32(0)
    for k in range(8):
        B[0] = B[0] + A[k]


@T.prim_func
def right(A: T.Buffer((8,), "float32"), B: T.Buffer((1,), "float32")):
    B[0] = T.float32(0)
    for ko, ki in T.grid(2, 4):
        B[0] = B[0] + A[ko * 4 + ki]


# fp: reassoc
@T.prim_func
def right_2(A: T.Buffer((8,), "float32"), B: T.Buffer((1,), "float32")):
    P = T.alloc_buffer((2,), "float32")
    for ko in range(2):
        P[ko] = T.float32(0)
        for ki in range(4):
            P[ko] = P[ko] + A[ko * 4 + ki]
    B[0] = T.float32(0)
    for ko in range(2):
        B[0] = B[0] + P[ko]


@T.prim_func
def wrong(A: T.Buffer((8,), "float32"), B: T.Buffer((1,), "float32")):
    P = T.alloc_buffer((2,), "float32")
    for ko in range(2):
        P[ko] = T.float32(0)
        for ki in range(4):
            P[ko] = P[ko] + A[ko * 4 + ki]
    B[0] = T.float32(0)
    for ko in range(2):
        B[0] = B[0] + P[ko]


@T.prim_func
def wrong_2(A: T.Buffer((8,), "float32"), B: T.Buffer((1,), "float32")):
    B[0] = T.float32(0)
    for ki, ko in T.grid(4, 2):
        B[0] = B[0] + A[ko * 4 + ki]
