@T.prim_func
def main(A: T.Buffer((1,), "int32"), B: T.Buffer((1,), "int32"), D: T.Buffer((1,), "int32")):
    B[0] = A[0]
    D[0] = A[0]
