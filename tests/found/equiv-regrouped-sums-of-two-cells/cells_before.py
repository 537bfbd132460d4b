@T.prim_func
def f(A: T.Buffer((8,), "float32"), O: T.Buffer((1,), "int32")):
    S = T.alloc_buffer((2,), "float32")
    for j in range(2):
        S[j] = T.float32(0)
    for i in range(8):
        S[i % 2] = S[i % 2] + A[i]
    O[0] = T.Cast("int32", S[0] > T.float32(0)) - T.Cast("int32", S[1] > T.float32(0))
