@T.prim_func
def main(A: T.Buffer((4, 8), "int32"), B: T.Buffer((4, 8), "int32")):
    t = T.alloc_buffer((8,), "int32")
    for j in range(8):
        t[j] = A[0, j]
    for j in range(8):
        B[0, j] = t[7 - j]
    for i in range(4):
        with T.block("b"):
            v = T.axis.spatial(4, i)
            T.reads(A[v, 0:8])
            T.writes(B[v, 0:8])
            u = T.alloc_buffer((8,), "int32")
            for j in range(8):
                u[j] = A[v, j]
            for j in range(8):
                B[v, j] = u[7 - j]
