@T.prim_func
def before(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    S = T.alloc_buffer((8,), "float32")
    for i in range(8):
        S[i] = A[i] + 1.0
    for i in range(8):
        B[i] = S[i] * S[7 - i]


@T.prim_func
def right(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    for i in range(8):
        B[i] = (A[i] + 1.0) * (A[7 - i] + 1.0)


# A sum of floats is not distributed.
@T.prim_func
def wrong(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    for i in range(8):
        B[i] = A[i] * (A[7 - i] + 1.0) + (A[7 - i] + 1.0)


# One of two uses got the other one's index.
@T.prim_func
def wrong_2(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    for i in range(8):
        B[i] = (A[i] + 1.0) * (A[i] + 1.0)
