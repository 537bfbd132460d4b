@T.prim_func
def main(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    C = T.alloc_buffer((32,), "int32x4096")
    D = T.alloc_buffer((1,), "int32x4096")
    D[0] = C[0:17]
    B[0] = A[0]
