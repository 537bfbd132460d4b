# The last of several stores to one cell stays.
@T.prim_func
def before(I: T.Buffer((4,), "int32"), A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[I[i] & 3] = A[i]


@T.prim_func
def right(I: T.Buffer((4,), "int32"), A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for b in range(4):
        for i in range(4):
            B[b] = T.Select((I[i] & 3) == b, A[i], B[b])


@T.prim_func
def wrong(I: T.Buffer((4,), "int32"), A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[I[3 - i] & 3] = A[3 - i]


# The read of the index comes after a store that may have changed it: here it cannot, it is another buffer.
@T.prim_func
def right_2(I: T.Buffer((4,), "int32"), A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    at = T.alloc_buffer((4,), "int32")
    for i in range(4):
        at[i] = I[i] & 3
    for i in range(4):
        B[at[i]] = A[i]
