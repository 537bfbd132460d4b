@T.prim_func
def main(A: T.Buffer((1,), "int32"), B: T.Buffer((1,), "int32"), n: T.int32):
    B[0] = T.wrap(n + 1) + (A[0] + 1)
