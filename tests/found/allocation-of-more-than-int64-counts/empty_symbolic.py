@T.prim_func
def f(n: T.uint64, A: T.Buffer((1,), "int32")):
    B = T.alloc_buffer((n, 0), "int32")
    A[0] = 1
