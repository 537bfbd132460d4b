# What was a value may not become any value.
@T.prim_func
def before(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
    for i in range(4):
        B[i] = T.Select(A[i] > T.float32(0), A[i], T.float32(0))


# An undef that is not used.
@T.prim_func
def right(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
    for i in range(4):
        B[i] = T.undef(dtype="float32")
    for i in range(4):
        B[i] = T.Select(A[i] > T.float32(0), A[i], T.float32(0))


@T.prim_func
def wrong(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
    for i in range(4):
        B[i] = T.Select(A[i] > T.float32(0), A[i], T.undef(dtype="float32"))


# Zero times anything is not zero, for floats.
@T.prim_func
def wrong_2(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
    for i in range(4):
        B[i] = T.Select(A[i] > T.float32(0), A[i], T.undef(dtype="float32") * T.float32(0))
