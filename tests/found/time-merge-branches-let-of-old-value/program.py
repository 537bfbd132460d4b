@T.prim_func
def main(A: T.Buffer((4,), "int32"), C: T.Buffer((4,), "int32"), D: T.Buffer((4,), "int32")):
    x: T.int32 = A[0]
    if x > 0:
        C[0] = 1
        A[0] = 0 - C[0]
    if A[0] > 0:
        D[0] = 1
