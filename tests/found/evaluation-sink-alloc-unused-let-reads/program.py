@T.prim_func
def main(B: T.Buffer((8,), "int32")):
    x = T.int32()
    S = T.alloc_buffer((1,), "int32")
    for i in range(8):
        if i == 0:
            S[0] = 1
        B[i] = T.Let(i, where={x: S[0]})
