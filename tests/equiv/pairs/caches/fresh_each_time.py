# Memory that is allocated in a loop is new in each iteration.
@T.prim_func
def before(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    last = T.alloc_buffer((1,), "int32")
    last[0] = 0
    for i in range(8):
        B[i] = A[i] - last[0]
        last[0] = A[i]


@T.prim_func
def right(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        last = T.alloc_buffer((1,), "int32")
        last[0] = 0
        if i > 0:
            last[0] = A[i - 1]
        B[i] = A[i] - last[0]


# What the iteration before left is gone.
@T.prim_func
def wrong(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        last = T.alloc_buffer((1,), "int32")
        if i == 0:
            last[0] = 0
        B[i] = A[i] - last[0]
        last[0] = A[i]
