@T.prim_func
def main(B: T.Buffer((8,), "int32"), n: T.int32):
    S = T.alloc_buffer((4,), "int32")
    for i in range(8):
        for j in range(4):
            S[j] = i
        B[i] = S[i // 2]
