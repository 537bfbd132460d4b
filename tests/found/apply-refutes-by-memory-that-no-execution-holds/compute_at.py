@T.prim_func
def main(A: T.Buffer((16,), "int32"), B: T.Buffer((8,), "int32"), K: T.Buffer((1,), "int32")):
    U = T.alloc_buffer((8,), "int32")
    K[0] = 1
    for i in range(8):
        with T.block("u"):
            vi = T.axis.spatial(8, i)
            U[vi] = A[K[0]] + vi
    for i in range(8):
        with T.block("c"):
            vi = T.axis.spatial(8, i)
            B[vi] = U[vi]
            A[vi + 8] = 0

