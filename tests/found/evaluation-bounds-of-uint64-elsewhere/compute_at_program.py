@T.prim_func
def main(n: T.uint64, A: T.Buffer((1000, 4), "int32"), O: T.Buffer((1000, 4), "int32")):
    B = T.alloc_buffer((1000, 4), "int32")
    for a in range(T.if_then_else(n < T.uint64(1000), 4, 0)):
        for b in range(n):
            with T.block("P"):
                vb = T.axis.spatial(T.uint64(1000), b)
                va = T.axis.spatial(4, a)
                B[vb, va] = A[vb, va]
    for u in range(1):
        for i in range(T.if_then_else(n < T.uint64(1000), 4, 0)):
            for j in range(n):
                with T.block("C"):
                    vi = T.axis.spatial(4, i)
                    vj = T.axis.spatial(T.uint64(1000), j)
                    O[vj, vi] = B[vj, vi]
