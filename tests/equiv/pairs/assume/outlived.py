# What is assumed lasts until a store hits the cell.
@T.prim_func
def before(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32"), I: T.Buffer((1,), "int32")):
    for i in range(4):
        T.assume(A[i] == 0)
    if 0 <= I[0] and I[0] < 4:
        A[I[0]] = 7
    for i in range(4):
        B[i] = A[i] + 1


@T.prim_func
def right(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32"), I: T.Buffer((1,), "int32")):
    for i in range(4):
        A[i] = T.Select(I[0] == i, 7, 0)
        B[i] = A[i] + 1


# The fact is used after the store.
@T.prim_func
def wrong(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32"), I: T.Buffer((1,), "int32")):
    for i in range(4):
        T.assume(A[i] == 0)
    if 0 <= I[0] and I[0] < 4:
        A[I[0]] = 7
    for i in range(4):
        B[i] = 1
