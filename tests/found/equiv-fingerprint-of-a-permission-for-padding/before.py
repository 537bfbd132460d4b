@T.prim_func
def main(A: T.Buffer((4,), "int32"), D: T.Buffer((4,), "int32")):
    D[0] = A[3]
