@T.prim_func
def f(A: T.Buffer((16,), "int32")):
    for i in range(T.int64(10)):
        with T.block("b"):
            vi = T.axis.spatial(T.int32(16) - T.int32(65536) * T.int32(65536) * T.int32(65536) * T.int32(65536), i)
            A[vi] = 1
