@T.prim_func
def f(A: T.Buffer((4,),"int16"), B: T.Buffer((4,),"int32")):
    for i in range(4):
        T.assume(A[i] == T.int16(4097))
        B[i] = T.Select(T.Cast("float32", A[i]) * T.Cast("float32", A[i]) - T.float32(16785408) > T.float32(0), 1, 0)
