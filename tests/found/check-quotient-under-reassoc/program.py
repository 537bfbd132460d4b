@T.prim_func
def f(A: T.Buffer((2,), "float32"), B: T.Buffer((4,), "int32")):
    T.assume(A[0] == T.float32(1e30))
    T.assume(A[1] == T.float32(1e30))
    if (A[0] * A[1]) / A[1] == A[0]:
        B[100] = 1
