@T.prim_func
def f(O: T.Buffer((1,), "int32")):
    A = T.alloc_buffer((1,), "float32")
    with T.block("a"):
        A[0] = T.undef("float32")
    with T.block("o"):
        O[0] = T.Select(A[0] * T.float32(0) == T.float32(0), 1, 2)
