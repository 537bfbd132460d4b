# A ring of three cells instead of the whole first stage.
@T.prim_func
def before(A: T.Buffer((10,), "int32"), B: T.Buffer((8,), "int32")):
    S = T.alloc_buffer((10,), "int32")
    for i in range(10):
        S[i] = A[i] * A[i]
    for i in range(8):
        B[i] = S[i] + S[i + 1] + S[i + 2]


@T.prim_func
def right(A: T.Buffer((10,), "int32"), B: T.Buffer((8,), "int32")):
    S = T.alloc_buffer((3,), "int32")
    for i in range(10):
        S[i % 3] = A[i] * A[i]
        if i >= 2:
            B[i - 2] = S[(i - 2) % 3] + S[(i - 1) % 3] + S[i % 3]


# A ring of two is too short.
@T.prim_func
def wrong(A: T.Buffer((10,), "int32"), B: T.Buffer((8,), "int32")):
    S = T.alloc_buffer((2,), "int32")
    for i in range(10):
        S[i % 2] = A[i] * A[i]
        if i >= 2:
            B[i - 2] = S[(i - 2) % 2] + S[(i - 1) % 2] + S[i % 2]


# Starts one too early: the ring is not full.
@T.prim_func
def wrong_2(A: T.Buffer((10,), "int32"), B: T.Buffer((8,), "int32")):
    S = T.alloc_buffer((3,), "int32")
    for i in range(10):
        S[i % 3] = A[i] * A[i]
        if 1 <= i < 9:
            B[i - 1] = S[(i - 1) % 3] + S[i % 3] + S[(i + 1) % 3]
