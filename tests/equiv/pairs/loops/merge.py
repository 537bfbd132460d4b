@T.prim_func
def before(A: T.Buffer((9,), "int32"), B: T.Buffer((9,), "int32"), C: T.Buffer((9,), "int32")):
    for i in range(9):
        B[i] = A[i] + 1
    for i in range(8):
        C[i] = B[i] * B[i + 1]


# The second loop follows one step behind.
@T.prim_func
def right(A: T.Buffer((9,), "int32"), B: T.Buffer((9,), "int32"), C: T.Buffer((9,), "int32")):
    for i in range(9):
        B[i] = A[i] + 1
        if 0 < i:
            C[i - 1] = B[i - 1] * B[i]


# It reads a cell that is written in the next iteration.
@T.prim_func
def wrong(A: T.Buffer((9,), "int32"), B: T.Buffer((9,), "int32"), C: T.Buffer((9,), "int32")):
    for i in range(9):
        B[i] = A[i] + 1
        if i < 8:
            C[i] = B[i] * B[i + 1]
