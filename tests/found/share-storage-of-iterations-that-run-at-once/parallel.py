@T.prim_func
def main(A: T.Buffer((4, 8), "int32"), B: T.Buffer((4, 8), "int32")):
    t = T.alloc_buffer((8,), "int32")
    for j in range(8):
        t[j] = A[0, j]
    for j in range(8):
        B[0, j] = t[7 - j]
    for i in T.parallel(4):
        u = T.alloc_buffer((8,), "int32")
        for j in range(8):
            u[j] = A[i, j]
        for j in range(8):
            B[i, j] = u[7 - j]
