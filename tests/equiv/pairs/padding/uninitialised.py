# Padding of which nothing is said may not be read, not even to throw the value away.
# layout: A = lambda i: [i // 4, i % 4]
@T.prim_func
def before(A: T.Buffer((14,), "int32"), B: T.Buffer((14,), "int32")):
    for i in range(14):
        B[i] = A[i] + 5


@T.prim_func
def right(A: T.Buffer((4, 4), "int32"), B: T.Buffer((14,), "int32")):
    for i, j in T.grid(4, 4):
        if i * 4 + j < 14:
            B[i * 4 + j] = A[i, j] + 5


@T.prim_func
def right_2(A: T.Buffer((4, 4), "int32"), B: T.Buffer((14,), "int32")):
    for i, j in T.grid(4, 4):
        B[T.min(i * 4 + j, 13)] = T.if_then_else(i * 4 + j < 14, A[i, j], A[3, 1]) + 5


# The load stands outside of the guard.
@T.prim_func
def wrong(A: T.Buffer((4, 4), "int32"), B: T.Buffer((14,), "int32")):
    for i, j in T.grid(4, 4):
        x: T.int32 = A[i, j]
        if i * 4 + j < 14:
            B[i * 4 + j] = x + 5


# Select evaluates both of its values.
@T.prim_func
def wrong_2(A: T.Buffer((4, 4), "int32"), B: T.Buffer((14,), "int32")):
    for i, j in T.grid(4, 4):
        B[T.min(i * 4 + j, 13)] = T.Select(i * 4 + j < 14, A[i, j], A[3, 1]) + 5


# With a value in the padding the read is no error, but the last store to B[13] takes it from there.
# pad: A = 0
@T.prim_func
def wrong_3(A: T.Buffer((4, 4), "int32"), B: T.Buffer((14,), "int32")):
    for i, j in T.grid(4, 4):
        B[T.min(i * 4 + j, 13)] = A[i, j] + 5
