# The difference of a let and itself is zero; of two evaluations it is anything.
@T.prim_func
def before(A: T.Buffer((2,), "int32"), B: T.Buffer((2,), "int32")):
    for i in range(2):
        B[i] = A[i]


@T.prim_func
def right(A: T.Buffer((2,), "int32"), B: T.Buffer((2,), "int32")):
    for i in range(2):
        x: T.int32 = T.undef(dtype="int32")
        B[i] = A[i] + (x - x)


# The let is inlined.
@T.prim_func
def wrong(A: T.Buffer((2,), "int32"), B: T.Buffer((2,), "int32")):
    for i in range(2):
        B[i] = A[i] + (T.undef(dtype="int32") - T.undef(dtype="int32"))
