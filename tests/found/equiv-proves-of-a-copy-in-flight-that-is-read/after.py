@T.prim_func
def main(A: T.Buffer((4,), "int32"), C: T.Buffer((4,), "int32"), D: T.Buffer((1,), "int32")):
    for i in range(4):
        C[i] = A[i]
    D[0] = C[1]
