@T.prim_func
def f(A: T.Buffer((1,), "float32"), B: T.Buffer((4,), "int32")):
    S = T.alloc_buffer((1,))
    T.assume(A[0] == T.float32(4097))
    S[0] = A[0] * A[0]
    if S[0] - T.float32(16785408) == T.float32(1):
        B[100] = 1
