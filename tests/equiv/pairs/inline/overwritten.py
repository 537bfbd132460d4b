# What the producer reads is written before its value is used.
@T.prim_func
def before(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    S = T.alloc_buffer((8,), "int32")
    for i in range(8):
        S[i] = A[i] * 5
    for i in range(8):
        A[i] = 0
    for i in range(8):
        B[i] = S[i]


@T.prim_func
def right(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = A[i] * 5
        A[i] = 0


@T.prim_func
def wrong(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        A[i] = 0
    for i in range(8):
        B[i] = A[i] * 5
