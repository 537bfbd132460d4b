# Division by a power of two is a product, by three it is not.
@T.prim_func
def before(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32"), C: T.Buffer((4,), "float32")):
    for i in range(4):
        B[i] = A[i] / T.float32(4)
        C[i] = A[i] + A[i]


@T.prim_func
def right(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32"), C: T.Buffer((4,), "float32")):
    for i in range(4):
        B[i] = A[i] * T.float32(0.25)
        C[i] = T.float32(2) * A[i]


# The difference of a number and itself is not zero when that is infinite.
@T.prim_func
def wrong(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32"), C: T.Buffer((4,), "float32")):
    for i in range(4):
        B[i] = A[i] * T.float32(0.25)
        C[i] = T.float32(2) * A[i] + (A[i] - A[i])


# A product that underflows on the way.
@T.prim_func
def wrong_2(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32"), C: T.Buffer((4,), "float32")):
    for i in range(4):
        B[i] = A[i] * T.float32(0.125) * T.float32(2)
        C[i] = A[i] + A[i]
