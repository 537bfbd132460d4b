# The least value as padding of a maximum. T.max gives its right operand when one is a NaN.
# layout: A = lambda i: [i // 4, i % 4]
# pad: A = -inf
@T.prim_func
def before(A: T.Buffer((6,), "float32"), B: T.Buffer((1,), "float32")):
    B[0] = A[0]
    for i in range(5):
        B[0] = T.max(A[i + 1], B[0])


@T.prim_func
def right(A: T.Buffer((2, 4), "float32"), B: T.Buffer((1,), "float32")):
    B[0] = A[0, 0]
    for i in range(7):
        B[0] = T.max(A[(i + 1) // 4, (i + 1) % 4], B[0])


# A NaN so far is replaced by the padding.
@T.prim_func
def wrong(A: T.Buffer((2, 4), "float32"), B: T.Buffer((1,), "float32")):
    B[0] = A[0, 0]
    for i in range(5):
        B[0] = T.max(A[(i + 1) // 4, (i + 1) % 4], B[0])
    for i in range(2):
        B[0] = T.max(B[0], A[1, i + 2])


# Zero is not the least value.
# pad: A = 0
@T.prim_func
def wrong_2(A: T.Buffer((2, 4), "float32"), B: T.Buffer((1,), "float32")):
    B[0] = A[0, 0]
    for i in range(7):
        B[0] = T.max(A[(i + 1) // 4, (i + 1) % 4], B[0])
