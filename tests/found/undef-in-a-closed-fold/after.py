@T.prim_func
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((1,), "int32")):
    B[0] = 0
    for k in range(2):
        t = T.alloc_buffer((1,), "int32")
        t[0] = 0
        for j in range(4):
            if A[j] > 0:
                t[0] = T.undef()
        B[0] = t[0] - B[0]
