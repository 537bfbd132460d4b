# Every iteration writes the same cell: the last one wins.
@T.prim_func
def before(A: T.Buffer((8,), "int32"), B: T.Buffer((1,), "int32")):
    for i in range(8):
        if A[i] > 0:
            B[0] = A[i]


@T.prim_func
def right(A: T.Buffer((8,), "int32"), B: T.Buffer((1,), "int32")):
    for i in range(8):
        B[0] = T.if_then_else(A[i] > 0, A[i], B[0])


# From the end, the first positive one stays.
@T.prim_func
def right_2(A: T.Buffer((8,), "int32"), B: T.Buffer((1,), "int32")):
    with T.block("root"):
        done = T.alloc_buffer((1,), "bool")
        done[0] = False
        for i in range(8):
            if not done[0] and A[7 - i] > 0:
                B[0] = A[7 - i]
                done[0] = True


@T.prim_func
def wrong(A: T.Buffer((8,), "int32"), B: T.Buffer((1,), "int32")):
    for i in range(8):
        if A[7 - i] > 0:
            B[0] = A[7 - i]


# With nothing positive the cell must stay as it was.
@T.prim_func
def wrong_2(A: T.Buffer((8,), "int32"), B: T.Buffer((1,), "int32")):
    B[0] = 0
    for i in range(8):
        if A[i] > 0:
            B[0] = A[i]
