@T.prim_func
def f(A: T.Buffer((4,),"float32"), B: T.Buffer((4,),"int32")):
    for i in range(4):
        T.assume(A[i] == T.infinity("float32"))
        B[i] = T.Select(T.copysign(T.float32(1), (A[i] - A[i]) * T.float32(-1)) > T.float32(0), 1, 0)
