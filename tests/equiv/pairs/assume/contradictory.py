# Two assumes that cannot hold together: every input is excluded.
@T.prim_func
def before(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        T.assume(A[i] > 3)
        T.assume(A[i] < 2)
        B[i] = A[i]


@T.prim_func
def vacuous(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = 0
