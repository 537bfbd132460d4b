@T.prim_func
def main(A: T.Buffer((4, 8), "int32"), B: T.Buffer((4, 4, 8), "int32")):
    for i in range(4):
        for j in range(i + 1):
            C = T.alloc_buffer((8,), "int32")
            for k in range(8):
                C[k] = A[j, k]
            for k in range(8):
                B[i, j, k] = C[7 - k]
