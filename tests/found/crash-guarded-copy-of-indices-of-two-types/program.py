@T.prim_func
def before(A: T.Buffer((128,), "int32"), n: T.int8):
    if n <= T.int8(121):
        for i in range(n):
            with T.block("b"):
                v = T.axis.spatial(n, i)
                A[v] = 1
