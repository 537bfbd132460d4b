@T.prim_func
def f(n: T.int32, B: T.Buffer((1,), "int32")):
    with T.block("b"):
        v = T.axis.reduce((8 // n, 8 // n + 1), 8)
        T.where(n == 1)
        with T.init():
            B[0] = 0
        B[0] = 1
