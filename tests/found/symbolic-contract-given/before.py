@T.prim_func
def f(A: T.Buffer((4,),"int16"), B: T.Buffer((4,),"int32")):
    for i in range(4):
        T.assume(A[i] == T.int16(4097))
        B[i] = 0
