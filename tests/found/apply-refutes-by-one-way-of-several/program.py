@T.prim_func
def main(A: T.Buffer((4, 8), "int32"), C: T.Buffer((4, 8), "int32"), D: T.Buffer((4, 8), "int32")):
    for i in range(4):
        with T.block("c"):
            vi = T.axis.spatial(4, i)
            for j in range(8):
                C[vi, j] = A[vi, j]
            C[vi, 0] = 5
            for j in range(8):
                D[vi, j] = C[vi, j]
