@T.prim_func
def f(n: T.uint64, A: T.Buffer((1,), "int32")):
    if n >= T.uint64(9223372036854775808):
        A[0] = 1
