@T.prim_func
def f(P: T.Buffer((2,), "int32"), A: T.Buffer((4,), "int32"), B: T.Buffer((2,), "int32")):
    for j in range(2):
        for k in range(2):
            with T.block("b"):
                vj = T.axis.spatial(2, j)
                vk = T.axis.reduce(2, k)
                with T.init():
                    B[vj] = T.if_then_else(vj == 0, 0, A[P[0]])
                T.assume(P[0] >= 0 and P[0] < 4)
                B[vj] = B[vj] + 1
