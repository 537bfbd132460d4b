@T.prim_func
def f(C: T.Buffer((1,), "int32"), B: T.Buffer((100,), "int32"), n: T.int32):
    T.assume(n >= 1 and n <= 50)
    for i in range(n):
        with T.block("b"):
            vi = T.axis.reduce(n, i)
            with T.init():
                C[0] = 0
            C[0] = C[0] + B[vi]
