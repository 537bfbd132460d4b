@T.prim_func
def f(A: T.Buffer((3,), "float32"), O: T.Buffer((2,), "float32")):
    S = T.alloc_buffer((1,), "float32")
    S[0] = T.float32(0) + A[0] + A[1] + A[2]
    O[0] = S[0]
    O[1] = S[0]
