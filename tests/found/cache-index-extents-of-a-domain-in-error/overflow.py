@T.prim_func
def f(A: T.Buffer((16,), "int32"), n: T.int32):
    if n < 5:
        for i in range(8):
            with T.block("b"):
                vi = T.axis.spatial(T.max(T.min(n + 2147483640, 8), 8), i)
                A[vi + 1] = 7
