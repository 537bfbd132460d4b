@T.prim_func
def f(A: T.Buffer((4,), "float32"), V: T.Buffer((4,), "float32"), Y: T.Buffer((2, 4), "float32")):
    Y[T.cast(A[0] * A[1] + A[2] > T.float32(0), "int32"), 0:4] = V[0:4]
