# Any even number; one that is even is allowed.
@T.prim_func
def before(B: T.Buffer((1,), "int8")):
    B[0] = T.undef(dtype="int8") * T.int8(2)


@T.prim_func
def right(B: T.Buffer((1,), "int8")):
    B[0] = T.int8(-100)


@T.prim_func
def right_2(B: T.Buffer((1,), "int8")):
    B[0] = T.undef(dtype="int8") * T.int8(4)
