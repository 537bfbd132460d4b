# Any value: also that of a term in which undef is evaluated anew each time.
@T.prim_func
def before(B: T.Buffer((1,), "int32")):
    B[0] = T.undef(dtype="int32")


@T.prim_func
def right(B: T.Buffer((1,), "int32")):
    B[0] = 0


@T.prim_func
def right_2(B: T.Buffer((1,), "int32")):
    B[0] = T.undef(dtype="int32") - T.undef(dtype="int32")


@T.prim_func
def right_3(B: T.Buffer((1,), "int32")):
    x: T.int32 = T.undef(dtype="int32")
    B[0] = x + x * 5 + 1


# undef stands in no index, whatever is stored.
@T.prim_func
def wrong(B: T.Buffer((1,), "int32")):
    x: T.int32 = T.undef(dtype="int32")
    B[x % 1] = 0
