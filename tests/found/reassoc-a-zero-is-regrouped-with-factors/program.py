@T.prim_func
def f(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32"), Y: T.Buffer((4,), "float32"), O: T.Buffer((4,), "float32")):
    T.func_attr({"hexproof.fp": "reassoc nsz nnan ninf"})
    T.assume(A[3] == T.float32(0))
    X = T.alloc_buffer((4,), "float32")
    with T.block("X"):
        for i in range(4):
            if i < 3:
                X[i] = A[i] * B[i]
            else:
                X[i] = T.float32(0)
    for i in range(4):
        with T.block("O"):
            vi = T.axis.spatial(4, i)
            O[vi] = X[vi] * Y[vi]
