@T.prim_func
def f(A: T.Buffer(3, "float32"), B: T.Buffer(4, "float32")):
    x: T.float32 = A[0] * A[1] + A[2]
    B[0:4] = T.Broadcast(x, 4)
