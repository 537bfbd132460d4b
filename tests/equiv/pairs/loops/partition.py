# A loop cut in two, to get rid of a condition.
@T.prim_func
def before(A: T.Buffer((10,), "float32"), B: T.Buffer((10,), "float32")):
    for i in range(10):
        if i < 3:
            B[i] = A[i]
        else:
            B[i] = A[i] * A[i - 3]


@T.prim_func
def right(A: T.Buffer((10,), "float32"), B: T.Buffer((10,), "float32")):
    for i in range(3):
        B[i] = A[i]
    for i in range(3, 10):
        B[i] = A[i] * A[i - 3]


# The second part starts one too late.
@T.prim_func
def wrong(A: T.Buffer((10,), "float32"), B: T.Buffer((10,), "float32")):
    for i in range(3):
        B[i] = A[i]
    for i in range(4, 10):
        B[i] = A[i] * A[i - 3]


# The cut is one too late.
@T.prim_func
def wrong_2(A: T.Buffer((10,), "float32"), B: T.Buffer((10,), "float32")):
    for i in range(4):
        B[i] = A[i]
    for i in range(4, 10):
        B[i] = A[i] * A[i - 3]
