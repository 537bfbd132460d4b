@T.prim_func
def main(B: T.Buffer((8,), "int32")):
    x = T.int32()
    S = T.alloc_buffer((8,), "int32")
    for i in range(8):
        S[i] = 1
    for i in range(8):
        B[i] = T.Let(i, where={x: i})
