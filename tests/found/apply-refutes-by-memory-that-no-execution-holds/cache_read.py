@T.prim_func
def main(A: T.Buffer((16,), "int32"), B: T.Buffer((8,), "int32")):
    I = T.alloc_buffer((8,), "int32")
    for i in range(8):
        I[i] = i
        B[i] = A[I[i]]
        A[i + 8] = 0
