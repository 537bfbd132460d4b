@T.prim_func
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(7):
        x: T.int32 = A[i]
        A[i + 1] = x + A[i + 1]
        B[i] = x - A[i + 1]
