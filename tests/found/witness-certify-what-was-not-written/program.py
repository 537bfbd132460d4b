@T.prim_func
def main(F: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    S = T.alloc_buffer((8,), "int32")
    for i in range(8):
        if F[i] > 0:
            S[i] = i
    for i in range(8):
        if F[7 - i] > 0:
            B[i] = S[i]
