@T.prim_func
def f(A: T.Buffer((1,), "int32")):
    for i in range(T.uint64(0), T.uint64(4)):
        with T.block("b"):
            r = T.axis.reduce((T.uint64(0), T.uint64(18446744073709551615)), T.uint64(9223372036854775808) + i)
            with T.init():
                A[0] = 0
            A[0] = 1
