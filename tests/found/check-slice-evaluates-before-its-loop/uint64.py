@T.prim_func
def f(A: T.Buffer((4,), "int32")):
    for i in range(T.uint64(9223372036854775807), T.uint64(9223372036854775810)):
        if i > T.uint64(9223372036854775808):
            A[9] = 0
