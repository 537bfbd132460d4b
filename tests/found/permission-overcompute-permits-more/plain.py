@T.prim_func
def main(B: T.Buffer((8,), "int32"), n: T.int32):
    S = T.alloc_buffer((8,), "int32")
    for i in range(8):
        S[i] = 0
        if i < n:
            S[i] = 0
    for i in range(8):
        B[i] = S[i]
