# Some bits of undef are known after all.
@T.prim_func
def before(A: T.Buffer((2,), "int32"), B: T.Buffer((2,), "int32")):
    for i in range(2):
        B[i] = A[i] & 1


@T.prim_func
def right(A: T.Buffer((2,), "int32"), B: T.Buffer((2,), "int32")):
    for i in range(2):
        B[i] = ((T.undef(dtype="int32") & 1) * 2 + A[i]) & 1


@T.prim_func
def wrong(A: T.Buffer((2,), "int32"), B: T.Buffer((2,), "int32")):
    for i in range(2):
        B[i] = (T.undef(dtype="int32") & 1) | (A[i] & 1)
