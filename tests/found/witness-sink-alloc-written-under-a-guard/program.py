@T.prim_func
def main(B: T.Buffer((8,), "int32"), n: T.int32):
    S = T.alloc_buffer((4,), "int32")
    for j in range(4):
        S[j] = 0
    for i in range(8):
        for j in range(4):
            if j <= i or n > j:
                S[j] = i
        B[i] = S[i // 2]
