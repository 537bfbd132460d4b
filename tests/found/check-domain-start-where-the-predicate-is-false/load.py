@T.prim_func
def f(n: T.int32, A: T.Buffer((4,), "int32"), B: T.Buffer((1,), "int32")):
    T.assume(n >= 0)
    with T.block("b"):
        v = T.axis.reduce((A[n], A[n] + 1), A[T.min(n, 3)])
        T.where(n < 4)
        with T.init():
            B[0] = 0
        B[0] = 1
