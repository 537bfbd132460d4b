# Bytes as unsigned numbers, and their bits as signed ones.
@T.prim_func
def before(A: T.Buffer((4,), "uint8"), B: T.Buffer((4,), "uint8")):
    for i in range(4):
        B[i] = T.max(A[i], T.uint8(100))


@T.prim_func
def right(A: T.Buffer((4,), "uint8"), B: T.Buffer((4,), "uint8")):
    for i in range(4):
        B[i] = T.Select(A[i] < T.uint8(100), T.uint8(100), A[i])


@T.prim_func
def wrong(A: T.Buffer((4,), "uint8"), B: T.Buffer((4,), "uint8")):
    for i in range(4):
        B[i] = T.Cast("uint8", T.max(T.Cast("int8", A[i]), T.int8(100)))


# A difference of unsigned numbers is never negative.
@T.prim_func
def wrong_2(A: T.Buffer((4,), "uint8"), B: T.Buffer((4,), "uint8")):
    for i in range(4):
        B[i] = T.Select(A[i] - T.uint8(100) >= T.uint8(0), A[i], T.uint8(100))
