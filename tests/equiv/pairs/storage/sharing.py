# Two temporaries in one memory.
@T.prim_func
def before(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32")):
    S = T.alloc_buffer((8,), "int32")
    R = T.alloc_buffer((8,), "int32")
    for i in range(8):
        S[i] = A[i] * 3
    for i in range(8):
        B[i] = S[7 - i]
    for i in range(8):
        R[i] = A[i] - 1
    for i in range(8):
        C[i] = R[7 - i]


# The first is dead when the second is filled.
@T.prim_func
def right(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32")):
    memory = T.allocate([8], "int32", "global")
    S = T.Buffer((8,), "int32", data=memory)
    R = T.Buffer((8,), "int32", data=memory)
    for i in range(8):
        S[i] = A[i] * 3
    for i in range(8):
        B[i] = S[7 - i]
    for i in range(8):
        R[i] = A[i] - 1
    for i in range(8):
        C[i] = R[7 - i]


# The second is filled while the first is in use.
@T.prim_func
def wrong(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32")):
    memory = T.allocate([8], "int32", "global")
    S = T.Buffer((8,), "int32", data=memory)
    R = T.Buffer((8,), "int32", data=memory)
    for i in range(8):
        S[i] = A[i] * 3
    for i in range(8):
        B[i] = S[7 - i]
        R[i] = A[i] - 1
    for i in range(8):
        C[i] = R[7 - i]


# Halves of one memory that overlap by one cell.
@T.prim_func
def wrong_2(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32")):
    memory = T.allocate([15], "int32", "global")
    S = T.Buffer((8,), "int32", data=memory)
    R = T.Buffer((8,), "int32", data=memory, elem_offset=7)
    for i in range(8):
        S[i] = A[i] * 3
        R[i] = A[i] - 1
    for i in range(8):
        B[i] = S[7 - i]
        C[i] = R[7 - i]
