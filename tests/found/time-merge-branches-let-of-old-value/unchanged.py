@T.prim_func
def main(A: T.Buffer((4,), "int32"), C: T.Buffer((4,), "int32"), D: T.Buffer((4,), "int32")):
    if A[0] > 0:
        C[0] = 1
        A[1] = 0 - C[0]
    if A[0] > 0:
        D[0] = 1
