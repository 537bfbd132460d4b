# A read of a cell that was never written, introduced by a pass.
@T.prim_func
def before(A: T.Buffer((6,), "int32"), B: T.Buffer((6,), "int32")):
    S = T.alloc_buffer((6,), "int32")
    for i in range(5):
        S[i] = A[i] + 1
    for i in range(5):
        B[i] = S[i]


@T.prim_func
def right(A: T.Buffer((6,), "int32"), B: T.Buffer((6,), "int32")):
    S = T.alloc_buffer((6,), "int32")
    for i in range(5):
        S[i] = A[i] + 1
        B[i] = S[i]


# The value is thrown away, the read is an error all the same.
@T.prim_func
def wrong(A: T.Buffer((6,), "int32"), B: T.Buffer((6,), "int32")):
    S = T.alloc_buffer((6,), "int32")
    for i in range(5):
        S[i] = A[i] + 1
    for i in range(6):
        x: T.int32 = S[i]
        if i < 5:
            B[i] = x


# Multiplied by zero.
@T.prim_func
def wrong_2(A: T.Buffer((6,), "int32"), B: T.Buffer((6,), "int32")):
    S = T.alloc_buffer((6,), "int32")
    for i in range(5):
        S[i] = A[i] + 1
    for i in range(5):
        B[i] = S[i] + S[i + 1] * 0
