# A let keeps the value that the cell had.
@T.prim_func
def before(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        x: T.int32 = A[i]
        A[i] = B[i]
        B[i] = x


@T.prim_func
def right(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        y: T.int32 = B[i]
        B[i] = A[i]
        A[i] = y


# For integers the trick with exclusive or works.
@T.prim_func
def right_2(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        A[i] = A[i] ^ B[i]
        B[i] = A[i] ^ B[i]
        A[i] = A[i] ^ B[i]


# The let is inlined across the store.
@T.prim_func
def wrong(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        A[i] = B[i]
        B[i] = A[i]
