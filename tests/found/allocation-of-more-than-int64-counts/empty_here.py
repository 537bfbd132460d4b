@T.prim_func
def f(n: T.uint64, m: T.int32, A: T.Buffer((1,), "int32")):
    if m == 0:
        B = T.alloc_buffer((n, m), "int32")
        A[0] = 1
