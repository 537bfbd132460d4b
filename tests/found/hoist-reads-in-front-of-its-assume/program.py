@T.prim_func
def f(P: T.Buffer((2,), "int32"), A: T.Buffer((4,), "int32"), C: T.Buffer((2,), "int32")):
    for i in range(2):
        T.assume(P[0] >= 0 and P[0] < 4)
        if A[P[0]] > 0:
            C[i] = 1
