@T.prim_func
def f(A: T.Buffer((4,),"int16"), B: T.Buffer((1,),"int32")):
    for i in range(4):
        T.assume(A[i] == T.int16(4097))
        a: T.float32 = T.Cast("float32", A[i])
        B[T.Cast("int32", a * a - T.float32(16785408))] = 7
