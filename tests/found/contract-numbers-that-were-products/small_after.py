@T.prim_func
def f(A: T.Buffer((1,), "float64"), I: T.Buffer((1,), "int32"), O: T.Buffer((1,), "float64"), P: T.Buffer((1,), "int32")):
    T.func_attr({"hexproof.fp": "contract"})
    X = T.alloc_buffer((2,), "float64")
    Y = T.alloc_buffer((2,), "float64")
    for i in range(2):
        X[i] = T.float64(1e-200)
        Y[i] = T.float64(-1e-200)
    O[0] = A[0] + X[I[0] & 1] * Y[I[0] & 1]
    P[0] = T.if_then_else(T.float64(1) / O[0] > T.float64(0), 1, 0)
