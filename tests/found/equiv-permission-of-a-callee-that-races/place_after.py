@T.prim_func
def main(X: T.Buffer((3,), "float32"), A: T.Buffer((16,), "float32")):
    T.assume(X[0] >= T.float32(0) and X[0] <= T.float32(1) and X[1] >= T.float32(0) and X[1] <= T.float32(1) and X[2] >= T.float32(0) and X[2] <= T.float32(1))
    A[T.Cast("int32", X[0] * X[1] + X[2])] = A[T.Cast("int32", X[0] * X[1] + X[2])]
