@T.prim_func
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    x = T.int32()
    for i in range(8):
        B[i] = T.if_then_else(A[i] > 0, T.Let(i, where={x: 8 // A[i]}), 0)
