# A transposition in place.
@T.prim_func
def before(A: T.Buffer((3, 3), "float32")):
    S = T.alloc_buffer((3, 3), "float32")
    for i, j in T.grid(3, 3):
        S[i, j] = A[j, i]
    for i, j in T.grid(3, 3):
        A[i, j] = S[i, j]


@T.prim_func
def right(A: T.Buffer((3, 3), "float32")):
    for i in range(3):
        for j in range(i):
            x: T.float32 = A[i, j]
            A[i, j] = A[j, i]
            A[j, i] = x


# Half of the values are lost.
@T.prim_func
def wrong(A: T.Buffer((3, 3), "float32")):
    for i, j in T.grid(3, 3):
        A[i, j] = A[j, i]


# Each pair is exchanged twice.
@T.prim_func
def wrong_2(A: T.Buffer((3, 3), "float32")):
    for i, j in T.grid(3, 3):
        x: T.float32 = A[i, j]
        A[i, j] = A[j, i]
        A[j, i] = x
