@T.prim_func
def f(A: T.Buffer((4,), "int32"), F: T.Buffer((4,), "int32")):
    for i in range(4):
        T.assume(F[i] >= 0 and F[i] < 4)
    for i in range(4):
        with T.block("o"):
            vo = T.axis.opaque(4, i)
            for j in range(4):
                with T.block("b"):
                    vj = T.axis.spatial(4, j)
                    if F[vo] == vj:
                        A[0] = vj
                if j < 3:
                    F[i] = F[i] + 1
                    if F[i] > 3:
                        F[i] = 0
