# A number computed from a loop variable: a cast wraps, index arithmetic that overflows is an error.
@T.prim_func
def before(B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = T.Cast("int32", T.Cast("int64", i) * T.int64(1000000000))


@T.prim_func
def right(B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = T.Cast("int32", T.Cast("int64", i) * T.int64(1000000000) % T.int64(4294967296))


@T.prim_func
def wrong(B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = i * 1000000000


# In uint32 it is an error too.
@T.prim_func
def wrong_2(B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = T.Cast("int32", T.Cast("uint32", i) * T.uint32(1000000000))
