# A shift to the left in place works in this direction only.
@T.prim_func
def before(A: T.Buffer((8,), "float32")):
    for i in range(7):
        A[i] = A[i + 1]


@T.prim_func
def right(A: T.Buffer((8,), "float32")):
    with T.block("root"):
        C = T.alloc_buffer((8,), "float32")
        for i in range(7):
            C[i] = A[6 - i + 1]
        for i in range(7):
            A[6 - i] = C[i]


# The other direction fills the buffer with its last value.
@T.prim_func
def wrong(A: T.Buffer((8,), "float32")):
    for i in range(7):
        A[6 - i] = A[7 - i]


# All at once is a race.
@T.prim_func
def wrong_2(A: T.Buffer((8,), "float32")):
    for i in T.vectorized(7):
        A[i] = A[i + 1]
