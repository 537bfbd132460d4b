@T.prim_func
def f(X: T.Buffer((8,), "int32"), Z: T.Buffer((8,), "float32"), O: T.Buffer((8,), "int32")):
    U = T.alloc_buffer((8,), "int32")
    C = T.alloc_buffer((8,), "int32")
    Y = T.alloc_buffer((8,), "float32")
    for i in range(8):
        U[i] = X[i]
    for i in range(4):
        U[i + 4] = T.undef()
    for i in range(8):
        C[i] = 0
    for i in range(8):
        with T.block("s"):
            vi = T.axis.spatial(8, i)
            if vi < 4:
                Y[vi] = Z[vi] / T.Cast("float32", U[vi] * 0 + 1)
            else:
                Y[vi] = Z[vi] / T.Cast("float32", C[vi] + 1)
    for i in range(8):
        if Y[i] > T.float32(0):
            O[i] = 1
        else:
            O[i] = 0
