# A guard that is dropped, and one that comes too late.
@T.prim_func
def before(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = 0
        if 2 <= i:
            B[i] = A[i - 2]


@T.prim_func
def right(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = T.if_then_else(2 <= i, A[i - 2], 0)


@T.prim_func
def right_2(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = T.Select(2 <= i, A[T.max(i - 2, 0)], 0)


@T.prim_func
def wrong(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = T.Select(2 <= i, A[i - 2], 0)


# Within the flat memory, but out of the row.
@T.prim_func
def wrong_2(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    V = T.Buffer((2, 4), "int32", data=A.data)
    for i in range(8):
        B[i] = T.if_then_else(2 <= i, V[0, T.max(i - 2, 0)], 0)
