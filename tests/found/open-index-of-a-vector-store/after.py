@T.prim_func
def f(A: T.Buffer((4,), "float32"), V: T.Buffer((4,), "float32"), Y: T.Buffer((2, 4), "float32")):
    for i in range(2):
        Y[T.cast(A[0] * A[1] + A[2] > T.float32(0), "int32"), i*2:i*2+2] = V[i*2:i*2+2]
