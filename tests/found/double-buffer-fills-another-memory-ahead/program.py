@T.prim_func
def f(A: T.Buffer((8, 4), "int32"), B: T.Buffer((8, 4), "int32"), D: T.Buffer((1,), "int32")):
    for i in range(8):
        W = T.alloc_buffer((4,), "int32")
        with T.block("fill"):
            T.reads(A[0:8, 0:4])
            T.writes(W[0:4], D[0:1])
            D[0] = i
            for j in range(4):
                W[j] = A[i, j]
        for j in range(4):
            with T.block("use"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = W[vj] + D[0]
