@T.prim_func
def before(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
    for i in range(4):
        B[i] = T.if_then_else(T.isnan(A[i]), T.float32(0), A[i])


@T.prim_func
def right(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
    for i in range(4):
        B[i] = A[i]
        if A[i] != A[i]:
            B[i] = T.float32(0)


# x == x was taken for true.
@T.prim_func
def wrong(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
    for i in range(4):
        B[i] = A[i]


# The maximum with something removes a NaN on one side only.
@T.prim_func
def wrong_2(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
    for i in range(4):
        B[i] = T.max(T.min_value("float32"), A[i])
