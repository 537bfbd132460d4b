@T.prim_func
def f(A: T.Buffer((1,), "float32"), K: T.Buffer((1,), "int32"), B: T.Buffer((4,), "int32")):
    T.assume(A[0] == T.float32(4097))
    x: T.float32 = T.Select(K[0] > 0, A[0] * A[0], T.float32(16785409)) - T.float32(16785408)
    if x == T.float32(1):
        B[100] = 1
