@T.prim_func
def f(n: T.uint64, A: T.Buffer((4,), "int32")):
    if n > T.uint64(9223372036854775808):
        A[10] = 0
