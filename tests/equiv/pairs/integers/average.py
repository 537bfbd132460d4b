# The mean of two bytes: the sum does not fit a byte.
@T.prim_func
def before(A: T.Buffer((4,), "uint8"), B: T.Buffer((4,), "uint8"), C: T.Buffer((4,), "uint8")):
    for i in range(4):
        C[i] = T.Cast("uint8", (T.Cast("uint16", A[i]) + T.Cast("uint16", B[i])) // T.uint16(2))


@T.prim_func
def right(A: T.Buffer((4,), "uint8"), B: T.Buffer((4,), "uint8"), C: T.Buffer((4,), "uint8")):
    for i in range(4):
        C[i] = (A[i] & B[i]) + T.shift_right(A[i] ^ B[i], T.uint8(1))


@T.prim_func
def wrong(A: T.Buffer((4,), "uint8"), B: T.Buffer((4,), "uint8"), C: T.Buffer((4,), "uint8")):
    for i in range(4):
        C[i] = (A[i] + B[i]) // T.uint8(2)


# Rounded up.
@T.prim_func
def wrong_2(A: T.Buffer((4,), "uint8"), B: T.Buffer((4,), "uint8"), C: T.Buffer((4,), "uint8")):
    for i in range(4):
        C[i] = (A[i] | B[i]) - T.shift_right(A[i] ^ B[i], T.uint8(1))
