@T.prim_func
def f(n: T.uint64, A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    B[0] = A[0]
    B[1] = A[1]
    B[2] = A[2]
