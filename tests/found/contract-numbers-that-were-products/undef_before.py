@T.prim_func
def f(A: T.Buffer((1,), "float32"), B: T.Buffer((2,), "float32"), O: T.Buffer((2,), "float32")):
    T.func_attr({"hexproof.fp": "contract"})
    X = T.alloc_buffer((1,), "float32")
    X[0] = T.undef()
    t: T.float32 = A[0] + X[0]
    O[0] = t
    O[1] = t
