@T.prim_func
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for k in range(1):
        with T.block("b"):
            C = T.alloc_buffer((8,), "int32")
            for i in range(8):
                C[i] = A[i]
            for i in range(8):
                B[i] = C[i]
