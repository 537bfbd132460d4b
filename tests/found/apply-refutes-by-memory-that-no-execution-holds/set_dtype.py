@T.prim_func
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    S = T.alloc_buffer((1,), "int32")
    U = T.alloc_buffer((8,), "int32")
    S[0] = 0
    for r in range(4):
        S[0] = S[0] + 1
    for i in range(8):
        with T.block("u"):
            vi = T.axis.spatial(8, i)
            U[vi] = S[0]
    for i in range(8):
        with T.block("c"):
            vi = T.axis.spatial(8, i)
            B[vi] = A[vi] + U[vi]
