@T.prim_func
def f(P: T.Buffer((2,), "int32"), A: T.Buffer((2,4), "int32")):
    for i in range(2):
        if i == 0:
            T.assume(P[0] >= 0 and P[0] < 4)
        else:
            A[i, P[0]] = 1
