@T.prim_func
def f(X: T.Buffer((4,), "float16"), Z: T.Buffer((4,), "float16"), O: T.Buffer((4,), "float16"), n: T.int32):
    B = T.alloc_buffer((4,), "float16")
    for i in range(4):
        with T.block("B"):
            vi = T.axis.spatial(4, i)
            if vi < n:
                B[vi] = X[vi] * T.float16(2)
            else:
                B[vi] = X[vi] + X[vi]
    for i in range(4):
        O[i] = B[i] + Z[i]
