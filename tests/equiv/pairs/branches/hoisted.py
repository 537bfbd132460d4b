# A condition that does not depend on the loop.
@T.prim_func
def before(A: T.Buffer((6,), "float32"), B: T.Buffer((6,), "float32"), mode: T.Buffer((1,), "int32")):
    for i in range(6):
        if mode[0] == 1:
            B[i] = A[i] + T.float32(1)
        else:
            B[i] = A[i] - T.float32(1)


@T.prim_func
def right(A: T.Buffer((6,), "float32"), B: T.Buffer((6,), "float32"), mode: T.Buffer((1,), "int32")):
    if mode[0] == 1:
        for i in range(6):
            B[i] = A[i] + T.float32(1)
    else:
        for i in range(6):
            B[i] = A[i] - T.float32(1)


@T.prim_func
def right_2(A: T.Buffer((6,), "float32"), B: T.Buffer((6,), "float32"), mode: T.Buffer((1,), "int32")):
    for i in range(6):
        B[i] = A[i] + T.Select(mode[0] == 1, T.float32(1), T.float32(-1))


@T.prim_func
def wrong(A: T.Buffer((6,), "float32"), B: T.Buffer((6,), "float32"), mode: T.Buffer((1,), "int32")):
    if mode[0] != 0:
        for i in range(6):
            B[i] = A[i] + T.float32(1)
    else:
        for i in range(6):
            B[i] = A[i] - T.float32(1)
