@T.prim_func
def f(A: T.Buffer((3,), "float32"), O: T.Buffer((2,), "float32")):
    S = T.alloc_buffer((2,), "float32")
    for j in range(2):
        S[j] = T.float32(0)
    for i in range(6):
        S[i % 2] = S[i % 2] + A[i // 2]
    O[0] = S[0]
    O[1] = S[1]
