@T.prim_func
def main(A: T.Buffer((1,), "int32"), B: T.Buffer((1,), "int32"), n: T.int32):
    x = T.int32()
    B[0] = T.Let(n, where={x: A[0]}) + 1
