# A stencil in place uses new values at its left; with a copy it uses old ones.
@T.prim_func
def before(A: T.Buffer((8,), "int32")):
    for i in range(1, 7):
        A[i] = A[i - 1] + A[i + 1]


@T.prim_func
def right(A: T.Buffer((8,), "int32")):
    left = T.alloc_buffer((1,), "int32")
    left[0] = A[0]
    for i in range(1, 7):
        left[0] = left[0] + A[i + 1]
        A[i] = left[0]


@T.prim_func
def wrong(A: T.Buffer((8,), "int32")):
    S = T.alloc_buffer((8,), "int32")
    for i in range(8):
        S[i] = A[i]
    for i in range(1, 7):
        A[i] = S[i - 1] + S[i + 1]


# Even cells, then odd ones.
@T.prim_func
def wrong_2(A: T.Buffer((8,), "int32")):
    for p, i in T.grid(2, 3):
        A[i * 2 + 1 + p] = A[i * 2 + p] + A[i * 2 + 2 + p]
