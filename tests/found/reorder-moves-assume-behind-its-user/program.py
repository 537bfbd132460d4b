@T.prim_func
def f(P: T.Buffer((2,), "int32"), A: T.Buffer((4,), "int32")):
    for i in range(2):
        for j in range(2):
            if i == 0:
                T.assume(P[j] >= 0 and P[j] < 4)
            else:
                A[P[1 - j]] = 1
