@T.prim_func
def f(A: T.Buffer((16,), "int32"), n: T.int32):
    if n != 0:
        for i in range(8):
            with T.block("b"):
                vi = T.axis.spatial(T.max(T.min(8 // n, 8), 8), i)
                A[vi + 1] = 7
