@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((32,), "int32")):
    for i in range(32):
        B[i] = A[i + 1]
