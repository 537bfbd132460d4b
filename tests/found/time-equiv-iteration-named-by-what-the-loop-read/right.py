@T.prim_func
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((4,), "int32")):
    C = T.alloc_buffer((1,), "int32")
    L = T.alloc_buffer((8,), "int32")
    B[0] = 1
    for i in range(2):
        C[0] = i
        L[2] = 0
        for j in range(4):
            n: T.int32 = C[0]
            if j == n:
                L[2] = 1
        B[0] = B[0] * L[2]
