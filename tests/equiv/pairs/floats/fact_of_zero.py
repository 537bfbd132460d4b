# Equal to zero is not the same as being +0.0.
@T.prim_func
def before(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
    for i in range(4):
        if A[i] == T.float32(0):
            B[i] = A[i]
        else:
            B[i] = T.float32(1)


@T.prim_func
def right(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
    for i in range(4):
        B[i] = T.Select(A[i] != T.float32(0), T.float32(1), A[i])


@T.prim_func
def wrong(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
    for i in range(4):
        if A[i] == T.float32(0):
            B[i] = T.float32(0)
        else:
            B[i] = T.float32(1)
