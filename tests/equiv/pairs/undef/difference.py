# Each evaluation of undef chooses anew, so undef - undef may be anything.
@T.prim_func
def before(B: T.Buffer((1,), "int32")):
    B[0] = T.undef(dtype="int32") - T.undef(dtype="int32")


@T.prim_func
def right(B: T.Buffer((1,), "int32")):
    B[0] = 0


@T.prim_func
def right_2(B: T.Buffer((1,), "int32")):
    B[0] = T.undef(dtype="int32")


@T.prim_func
def right_3(B: T.Buffer((1,), "int32")):
    x: T.int32 = T.undef(dtype="int32")
    B[0] = x + x * 5 + 1
