@T.prim_func
def f(A: T.Buffer((1,), "int32"), B: T.Buffer((16,), "int32")):
    for i in range(16):
        with T.block("b"):
            v = T.axis.spatial(T.max(A[0] // 16, 16), i)
            B[v] = 1
