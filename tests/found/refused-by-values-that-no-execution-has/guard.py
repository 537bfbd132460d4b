@T.prim_func
def main(B: T.Buffer((1,), "int32"), C: T.Buffer((8,), "int32")):
    M = T.alloc_buffer((8,), "int32")
    for k in range(8):
        M[k] = 0
    for i in range(8):
        if M[i] > 0:
            B[0] = i
        C[i] = B[0]
        M[i] = 0
