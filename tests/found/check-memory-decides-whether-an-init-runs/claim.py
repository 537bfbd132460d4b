@T.prim_func
def f(n: T.int32, A: T.Buffer((1,), "int32"), B: T.Buffer((4,), "int32")):
    with T.block("b"):
        v = T.axis.reduce((T.min(A[0], 7), 9), 8)
        with T.init():
            A[0] = 0
            with T.block("c"):
                w = T.axis.spatial(4, n)
                B[0] = 1
        B[0] = 2
