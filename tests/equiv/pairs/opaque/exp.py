# A function of which nothing is known but that it is one.
@T.prim_func
def before(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
    for i in range(4):
        B[i] = T.exp(A[i]) / (T.exp(A[i]) + T.float32(1))


@T.prim_func
def right(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
    for i in range(4):
        e: T.float32 = T.exp(A[i])
        B[i] = e / (T.float32(1) + e)


@T.prim_func
def wrong(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
    for i in range(4):
        B[i] = T.float32(1) / (T.float32(1) + T.exp(T.float32(0) - A[i]))


# The functions of two neighbours.
@T.prim_func
def wrong_2(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
    for i in range(4):
        B[i] = T.exp(A[i]) / (T.exp(A[i // 2]) + T.float32(1))
