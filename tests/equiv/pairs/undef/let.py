# A let evaluates undef once: its uses agree.
@T.prim_func
def before(B: T.Buffer((2,), "int32")):
    x: T.int32 = T.undef(dtype="int32")
    B[0] = x - x
    B[1] = x


@T.prim_func
def right(B: T.Buffer((2,), "int32")):
    B[0] = 0


@T.prim_func
def right_2(B: T.Buffer((2,), "int32")):
    B[0] = 0
    B[1] = T.undef(dtype="int32")
