@T.prim_func
def f(A: T.Buffer((1,), "float64"), I: T.Buffer((1,), "int32"), O: T.Buffer((1,), "float64"), P: T.Buffer((1,), "int32")):
    T.func_attr({"hexproof.fp": "contract"})
    O[0] = A[0]
    P[0] = T.if_then_else(T.float64(1) / O[0] > T.float64(0), 1, 0)
