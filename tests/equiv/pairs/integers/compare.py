# a + 1 > a fails at the greatest value; a - b < 0 is not a < b.
@T.prim_func
def before(A: T.Buffer((4,), "int8"), B: T.Buffer((4,), "int8"), C: T.Buffer((4,), "int8")):
    for i in range(4):
        C[i] = T.Select(A[i] < B[i], T.int8(1), T.int8(0))


@T.prim_func
def right(A: T.Buffer((4,), "int8"), B: T.Buffer((4,), "int8"), C: T.Buffer((4,), "int8")):
    for i in range(4):
        C[i] = T.Cast("int8", not (A[i] >= B[i]))


@T.prim_func
def right_2(A: T.Buffer((4,), "int8"), B: T.Buffer((4,), "int8"), C: T.Buffer((4,), "int8")):
    for i in range(4):
        C[i] = T.Select(T.Cast("int16", A[i]) - T.Cast("int16", B[i]) < T.int16(0), T.int8(1), T.int8(0))


@T.prim_func
def wrong(A: T.Buffer((4,), "int8"), B: T.Buffer((4,), "int8"), C: T.Buffer((4,), "int8")):
    for i in range(4):
        C[i] = T.Select(A[i] - B[i] < T.int8(0), T.int8(1), T.int8(0))


@T.prim_func
def wrong_2(A: T.Buffer((4,), "int8"), B: T.Buffer((4,), "int8"), C: T.Buffer((4,), "int8")):
    for i in range(4):
        C[i] = T.Select(A[i] + T.int8(1) <= B[i], T.int8(1), T.int8(0))
