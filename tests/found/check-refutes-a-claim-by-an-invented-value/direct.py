@T.prim_func
def f(A: T.Buffer((64,), "int32")):
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            A[vi * 2] = 1
