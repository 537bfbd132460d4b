# The padding of an output: guaranteed, or not observed.
# layout: B = lambda i: [i // 4, i % 4]
@T.prim_func
def before(A: T.Buffer((14,), "int32"), B: T.Buffer((14,), "int32")):
    for i in range(14):
        B[i] = A[i] * 3


# pad: B = 0
@T.prim_func
def right(A: T.Buffer((14,), "int32"), B: T.Buffer((4, 4), "int32")):
    for i, j in T.grid(4, 4):
        B[i, j] = T.if_then_else(i * 4 + j < 14, A[T.min(i * 4 + j, 13)] * 3, 0)


# Nothing is said of the padding: it may be left as it is.
@T.prim_func
def right_2(A: T.Buffer((14,), "int32"), B: T.Buffer((4, 4), "int32")):
    for i in range(14):
        B[i // 4, i % 4] = A[i] * 3


# Not observed: it may hold what is convenient.
# pad: B = 0
# logical-only: B
@T.prim_func
def right_3(A: T.Buffer((14,), "int32"), B: T.Buffer((4, 4), "int32")):
    for i, j in T.grid(4, 4):
        B[i, j] = A[T.min(i * 4 + j, 13)] * 3


# pad: B = undef
@T.prim_func
def right_4(A: T.Buffer((14,), "int32"), B: T.Buffer((4, 4), "int32")):
    for i, j in T.grid(4, 4):
        B[i, j] = T.if_then_else(i * 4 + j < 14, A[T.min(i * 4 + j, 13)] * 3, 7)


# The zeros that are promised are not written; on entry the padding of an output holds anything.
# pad: B = 0
@T.prim_func
def wrong(A: T.Buffer((14,), "int32"), B: T.Buffer((4, 4), "int32")):
    for i in range(14):
        B[i // 4, i % 4] = A[i] * 3


# pad: B = 7
@T.prim_func
def wrong_2(A: T.Buffer((14,), "int32"), B: T.Buffer((4, 4), "int32")):
    for i, j in T.grid(4, 4):
        B[i, j] = T.if_then_else(i * 4 + j < 14, A[T.min(i * 4 + j, 13)] * 3, 0)


# The last logical cell was taken for padding.
# pad: B = 0
@T.prim_func
def wrong_3(A: T.Buffer((14,), "int32"), B: T.Buffer((4, 4), "int32")):
    for i, j in T.grid(4, 4):
        B[i, j] = T.if_then_else(i * 4 + j < 13, A[T.min(i * 4 + j, 13)] * 3, 0)
