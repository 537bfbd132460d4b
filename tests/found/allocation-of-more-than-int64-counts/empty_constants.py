@T.prim_func
def f(A: T.Buffer((1,), "int32")):
    B = T.alloc_buffer((T.uint64(9223372036854775808), 0), "int32")
    A[0] = 1
