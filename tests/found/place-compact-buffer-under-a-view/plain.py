@T.prim_func
def main(B: T.Buffer((8,), "int32")):
    A = T.alloc_buffer((16,), "int32")
    A[0] = 1
    for i in range(8):
        B[i] = A[0]
