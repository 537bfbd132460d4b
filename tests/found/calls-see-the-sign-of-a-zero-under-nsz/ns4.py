@T.prim_func
def f(A: T.Buffer((4,), "float32"), Z: T.Buffer((4,), "float32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        T.assume(A[i] == T.float32(0))
        if (T.copysign(T.float32(1), A[i] + T.float32(0)) > T.float32(0)) != (T.copysign(T.float32(1), T.float32(0)) > T.float32(0)):
            B[i + 100] = 1
        else:
            B[i] = 1
