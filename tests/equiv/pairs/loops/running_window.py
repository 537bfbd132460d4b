# RFC 77's counterexample: each sum starts from the one before, so the initial values cannot go first.
@T.prim_func
def before(A: T.Buffer((16,), "int32"), B: T.Buffer((14,), "int32")):
    for i in range(14):
        if i == 0:
            B[0] = 0
        else:
            B[i] = B[i - 1]
        for t in range(3):
            B[i] = B[i] + A[i + t]


@T.prim_func
def right(A: T.Buffer((16,), "int32"), B: T.Buffer((14,), "int32")):
    B[0] = A[0] + A[1] + A[2]
    for i in range(13):
        B[i + 1] = B[i] + A[i + 1] + A[i + 2] + A[i + 3]


@T.prim_func
def wrong(A: T.Buffer((16,), "int32"), B: T.Buffer((14,), "int32")):
    for i in range(14):
        if i == 0:
            B[0] = 0
        else:
            B[i] = B[i - 1]
    for i, t in T.grid(14, 3):
        B[i] = B[i] + A[i + t]
