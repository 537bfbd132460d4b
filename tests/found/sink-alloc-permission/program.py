@T.prim_func
def f(A: T.Buffer((4,), "int32")):
    B = T.alloc_buffer((1,), "int32")
    for i in range(4):
        T.assume(B[0] == T.undef())
        A[i] = B[0]
