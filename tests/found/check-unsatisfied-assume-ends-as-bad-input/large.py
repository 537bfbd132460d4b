@T.prim_func
def f(A: T.Buffer((300000000,), "int8"), B: T.Buffer((4,), "int32")):
    T.assume(B[0] * B[1] == 1234577 and B[0] > 1)
    A[0] = T.int8(1)
