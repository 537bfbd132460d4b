@T.prim_func
def main(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    u = T.alloc_buffer((4,), "int32")
    for i in range(4):
        u[i] = 2
        if A[i] == 123456789:
            u[i] = T.undef("int32")
    for i in range(4):
        if T.min(u[i], 3) < 5:
            B[i] = 1
        else:
            B[i] = 2
