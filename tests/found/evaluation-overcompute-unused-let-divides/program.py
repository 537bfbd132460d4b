@T.prim_func
def main(B: T.Buffer((8,), "int32"), n: T.int32):
    x = T.int32()
    S = T.alloc_buffer((8,), "int32")
    for i in range(8):
        if n > 0:
            S[i] = T.Let(1, where={x: 8 // n})
    for i in range(8):
        S[i] = 2
    for i in range(8):
        B[i] = S[i]
