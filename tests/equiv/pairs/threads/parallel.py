# Loops whose iterations do not touch the same cells.
@T.prim_func
def before(A: T.Buffer((4, 4), "int32"), B: T.Buffer((4, 4), "int32")):
    for i, j in T.grid(4, 4):
        B[i, j] = A[j, i] - A[i, j]


@T.prim_func
def right(A: T.Buffer((4, 4), "int32"), B: T.Buffer((4, 4), "int32")):
    for i in T.parallel(4):
        for j in T.vectorized(4):
            B[i, j] = A[j, i] - A[i, j]


@T.prim_func
def right_2(A: T.Buffer((4, 4), "int32"), B: T.Buffer((4, 4), "int32")):
    for i in T.thread_binding(4, thread="blockIdx.x"):
        for j in T.thread_binding(4, thread="threadIdx.x"):
            B[i, j] = A[j, i] - A[i, j]


@T.prim_func
def right_3(A: T.Buffer((4, 4), "int32"), B: T.Buffer((4, 4), "int32")):
    bx = T.env_thread("blockIdx.x")
    T.launch_thread(bx, 4)
    for j in T.unroll(4):
        B[bx, j] = A[j, bx] - A[bx, j]


# All iterations write one cell, although the same value.
@T.prim_func
def wrong(A: T.Buffer((4, 4), "int32"), B: T.Buffer((4, 4), "int32")):
    for i in T.parallel(4):
        for j in range(4):
            B[i, j] = A[j, i] - A[i, j]
            B[0, 0] = 0


# Five threads for four rows.
@T.prim_func
def wrong_2(A: T.Buffer((4, 4), "int32"), B: T.Buffer((4, 4), "int32")):
    for i in T.thread_binding(5, thread="threadIdx.x"):
        for j in range(4):
            B[i, j] = A[j, i] - A[i, j]
