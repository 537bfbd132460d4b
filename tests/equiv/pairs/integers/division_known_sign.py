# On numbers that are not negative floor and truncation agree.
@T.prim_func
def before(A: T.Buffer((4,), "uint8"), B: T.Buffer((4,), "int32"), C: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = T.truncdiv(T.Cast("int32", A[i]), 10) - T.truncmod(T.Cast("int32", A[i]), 10)
        if C[i] >= 0:
            C[i] = T.truncdiv(C[i], 8)


@T.prim_func
def right(A: T.Buffer((4,), "uint8"), B: T.Buffer((4,), "int32"), C: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = T.Cast("int32", A[i]) // 10 - T.Cast("int32", A[i]) % 10
        if C[i] >= 0:
            C[i] = C[i] // 8


# The guard is dropped together with it.
@T.prim_func
def wrong(A: T.Buffer((4,), "uint8"), B: T.Buffer((4,), "int32"), C: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = T.Cast("int32", A[i]) // 10 - T.Cast("int32", A[i]) % 10
        C[i] = C[i] // 8


# The byte is read as a signed one.
@T.prim_func
def wrong_2(A: T.Buffer((4,), "uint8"), B: T.Buffer((4,), "int32"), C: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = T.Cast("int32", T.Cast("int8", A[i])) // 10 - T.Cast("int32", T.Cast("int8", A[i])) % 10
        if C[i] >= 0:
            C[i] = C[i] // 8
