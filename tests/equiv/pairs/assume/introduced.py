# An assume that does not follow from the program is an error where it is false.
@T.prim_func
def before(A: T.Buffer((4,), "uint8"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = T.Cast("int32", A[i]) * 4


@T.prim_func
def right(A: T.Buffer((4,), "uint8"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = T.Cast("int32", A[i]) * 4
        T.assume(B[i] < 1024 and B[i] % 4 == 0)


@T.prim_func
def wrong(A: T.Buffer((4,), "uint8"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = T.Cast("int32", A[i]) * 4
        T.assume(B[i] < 1020)
