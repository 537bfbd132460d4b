# A sum is built in a cell of its own and written back once.
@T.prim_func
def before(A: T.Buffer((4, 6), "float32"), B: T.Buffer((4,), "float32")):
    for i in range(4):
        B[i] = 0.0
        for k in range(6):
            B[i] = B[i] + A[i, k]


@T.prim_func
def right(A: T.Buffer((4, 6), "float32"), B: T.Buffer((4,), "float32")):
    for i in range(4):
        acc = T.alloc_buffer((1,), "float32", scope="local")
        acc[0] = 0.0
        for k in range(6):
            acc[0] = acc[0] + A[i, k]
        B[i] = acc[0]


@T.prim_func
def right_2(A: T.Buffer((4, 6), "float32"), B: T.Buffer((4,), "float32")):
    acc = T.alloc_buffer((4,), "float32", scope="local")
    for k in range(6):
        for i in T.vectorized(4):
            acc[i] = T.if_then_else(k == 0, T.float32(0), acc[i]) + A[i, k]
    for i in range(4):
        B[i] = acc[i]


# The cell is set once, not once per row.
@T.prim_func
def wrong(A: T.Buffer((4, 6), "float32"), B: T.Buffer((4,), "float32")):
    acc = T.alloc_buffer((1,), "float32", scope="local")
    acc[0] = 0.0
    for i in range(4):
        for k in range(6):
            acc[0] = acc[0] + A[i, k]
        B[i] = acc[0]


# Select reads the cell although it is not initialised.
@T.prim_func
def wrong_2(A: T.Buffer((4, 6), "float32"), B: T.Buffer((4,), "float32")):
    acc = T.alloc_buffer((4,), "float32", scope="local")
    for k in range(6):
        for i in T.vectorized(4):
            acc[i] = T.Select(k == 0, T.float32(0), acc[i]) + A[i, k]
    for i in range(4):
        B[i] = acc[i]
