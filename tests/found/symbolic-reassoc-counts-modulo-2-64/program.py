@T.prim_func
def f(A: T.Buffer((1,), "float32"), B: T.Buffer((1,), "float32")):
    P = T.alloc_buffer((1,), "float32")
    Q = T.alloc_buffer((1,), "float32")
    P[0] = A[0]
    Q[0] = A[0]
    for i in range(92):
        r: T.float32 = P[0] + Q[0]
        P[0] = Q[0]
        Q[0] = r
    B[0] = Q[0]
