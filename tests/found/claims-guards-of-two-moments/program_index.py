@T.prim_func
def f(A: T.Buffer((16,), "int32"), F: T.Buffer((1,), "int32")):
    F[0] = 0
    for i in range(4):
        with T.block("b"):
            vi = T.axis.spatial(4, i)
            T.reads(F[0])
            T.writes(A[0:16])
            A[(F[0] % 4 + 4 - vi) % 4] = vi
        F[0] = F[0] + 1
