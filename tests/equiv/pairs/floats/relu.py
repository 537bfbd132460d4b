# T.max(a, b) is a if a > b else b.
@T.prim_func
def before(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
    for i in range(4):
        B[i] = T.max(A[i], T.float32(0))


@T.prim_func
def right(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
    for i in range(4):
        B[i] = T.Select(A[i] > T.float32(0), A[i], T.float32(0))


@T.prim_func
def right_2(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
    for i in range(4):
        B[i] = T.float32(0)
        if T.float32(0) < A[i]:
            B[i] = A[i]


# A NaN comes through, and so does -0.0.
@T.prim_func
def wrong(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
    for i in range(4):
        B[i] = T.max(T.float32(0), A[i])


@T.prim_func
def wrong_2(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
    for i in range(4):
        B[i] = T.Select(A[i] < T.float32(0), T.float32(0), A[i])
