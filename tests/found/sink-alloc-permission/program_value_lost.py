@T.prim_func
def f(A: T.Buffer((4,), "int32"), C: T.Buffer((8,), "int32")):
    B = T.alloc_buffer((4,), "int32")
    for t in range(2):
        for j in range(4):
            if t == 0:
                B[j] = A[j]
        for j in range(4):
            T.assume(B[j] == T.undef())
        for j in range(4):
            C[t * 4 + j] = B[j]
