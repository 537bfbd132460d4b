@T.prim_func
def f(n: T.int32, B: T.Buffer((16,), "int32")):
    for i in range(16):
        with T.block("b"):
            v = T.axis.spatial(T.max(16 // n, 16), i)
            B[v] = 1
