@T.prim_func
def f(A: T.Buffer((1,), "int32"), F: T.Buffer((1,), "int32")):
    F[0] = 0
    for i in range(10):
        with T.block("b"):
            vi = T.axis.spatial(10, i)
            if F[0] == vi:
                A[0] = A[0] + vi
        F[0] = i + 1
