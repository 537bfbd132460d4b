@T.prim_func
def f(A: T.Buffer((1,), "int32"), B: T.Buffer((1,), "int32")):
    A[0] = 0
    if B[0] == 123456789:
        for i in range(T.uint64(0), T.uint64(4)):
            with T.block("b"):
                r = T.axis.reduce((T.uint64(9223372036854775808), T.uint64(9223372036854775812)), T.uint64(9223372036854775808) + i)
                with T.init():
                    A[0] = 0
                A[0] = A[0] + 1
