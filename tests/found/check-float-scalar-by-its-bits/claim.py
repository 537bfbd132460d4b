@T.prim_func
def f(x: T.float64, A: T.Buffer((4,), "int32")):
    for i in range(4):
        with T.block("b"):
            v = T.axis.spatial(3, i)
            T.where(x < T.float64(-2.5))
            A[v] = 0
