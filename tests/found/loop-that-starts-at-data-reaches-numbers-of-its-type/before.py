@T.prim_func
def f(j: T.int8, k: T.int8, B: T.Buffer((1,), "int8"), A: T.Buffer((1,), "int32")):
    T.assume(B[0] == T.int8(-56))
    A[0] = 1
