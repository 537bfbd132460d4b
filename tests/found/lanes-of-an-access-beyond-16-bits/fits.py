@T.prim_func
def main(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    C = T.alloc_buffer((32,), "int32x4096")
    for i in range(15):
        C[i] = T.Broadcast(3, 4096)
    C[T.Ramp(15, 1, 15)] = C[T.Ramp(0, 1, 15)]
    B[0] = A[0]
