# Indices that are read from the buffer that is written.
@T.prim_func
def before(A: T.Buffer((4,), "int32")):
    for i in range(4):
        A[A[i] & 3] = i


@T.prim_func
def right(A: T.Buffer((4,), "int32")):
    for i in range(4):
        at: T.int32 = A[i] % 4
        A[at] = i


# All indices are read first.
@T.prim_func
def wrong(A: T.Buffer((4,), "int32")):
    at = T.alloc_buffer((4,), "int32")
    for i in range(4):
        at[i] = A[i] & 3
    for i in range(4):
        A[at[i]] = i
