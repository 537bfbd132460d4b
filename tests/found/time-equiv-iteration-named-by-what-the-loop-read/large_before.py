@T.prim_func
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((4,), "int32"), D: T.Buffer((1000000,), "int32")):
    for i in range(1000000):
        D[i] = A[0]
    B[0] = 0
