@T.prim_func
def main(B: T.Buffer((8,), "int32"), n: T.int32):
    A = T.alloc_buffer((8,), "int32")
    for i in range(8):
        if i != n:
            A[i] = i
    for i in range(8):
        B[i] = A[i]
