@T.prim_func
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32"), n: T.int32):
    U = T.alloc_buffer((8,), "int32")
    P = T.alloc_buffer((8,), "int32")
    for i in range(8):
        P[i] = 7 - i
    for i in range(8):
        U[P[i]] = A[i]
    for i in range(4):
        U[i] = A[i]
    for i in range(8):
        if i < 4:
            B[i] = U[i]
    for i in range(8):
        B[i] = 0
