@T.prim_func
def f(A: T.Buffer((1,), "int8"), E: T.Buffer((1,), "int8"), B: T.Buffer((4,), "int32")):
    T.assume(A[0] == T.int8(-128))
    T.assume(E[0] == T.int8(-1))
    for i in range(T.int8(4)):
        with T.block("b"):
            v = T.axis.spatial(T.int8(4), i)
            T.reads()
            T.writes(B[A[0]:A[0]+E[0]])
            B[v] = 1
