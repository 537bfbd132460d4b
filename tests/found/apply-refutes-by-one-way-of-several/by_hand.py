@T.prim_func
def main(A: T.Buffer((4, 8), "int32"), C: T.Buffer((4, 8), "int32"), D: T.Buffer((4, 8), "int32")):
    C_global = T.alloc_buffer((4, 8), "int32")
    for i in range(4):
        with T.block("c"):
            vi = T.axis.spatial(4, i)
            for j in range(8):
                C_global[vi, j] = A[vi, j]
            C_global[vi, 0] = 5
            for j in range(8):
                D[vi, j] = C_global[vi, j]
    for i, j in T.grid(4, 8):
        C[i, j] = C_global[i, j]
