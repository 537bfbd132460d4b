@T.prim_func
def f(A: T.Buffer((8, 2), "float32"), O: T.Buffer((1,), "int32")):
    S = T.alloc_buffer((2,), "float32")
    for j in range(2):
        S[j] = A[0, j] + A[1, j]
    for i, j in T.grid(8, 2):
        S[(i + j) % 2] = S[(i + j) % 2] + A[i, j]
    O[0] = T.Cast("int32", S[0] > T.float32(0)) - T.Cast("int32", S[1] > T.float32(0))
