@T.prim_func
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((8, 4), "int32")):
    X = T.alloc_buffer((9, 4), "int32")
    Y = T.alloc_buffer((8, 4), "int32")
    for r, j in T.grid(9, 4):
        X[r, j] = A[j]
    for i in range(8):
        W = T.alloc_buffer((4,), "int32")
        with T.block("fill"):
            for j in range(4):
                W[j] = X[i, j]
        for j in range(4):
            T.assume(Y[i, j] == T.undef())
            B[i, j] = W[j] + Y[i, j] * 0
