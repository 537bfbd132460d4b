# The sum from the left is not the one from the right.
@T.prim_func
def before(A: T.Buffer((5,), "float32"), B: T.Buffer((5,), "float32")):
    B[0] = A[0]
    for i in range(4):
        B[i + 1] = B[i] + A[i + 1]


@T.prim_func
def right(A: T.Buffer((5,), "float32"), B: T.Buffer((5,), "float32")):
    for i in T.parallel(5):
        B[i] = A[0]
        for k in range(i):
            B[i] = A[k + 1] + B[i]


@T.prim_func
def wrong(A: T.Buffer((5,), "float32"), B: T.Buffer((5,), "float32")):
    for i in T.parallel(5):
        B[i] = A[i]
        for k in range(i):
            B[i] = B[i] + A[i - 1 - k]
