@T.prim_func
def main(C: T.Buffer((14,), "int32")):
    A = T.alloc_buffer((4, 4), "int32")
    for i in range(14):
        with T.block("a"):
            vi = T.axis.spatial(14, i)
            A[vi // 4, vi % 4] = vi
    for i in range(14):
        with T.block("c"):
            vi = T.axis.spatial(14, i)
            C[vi] = A[vi // 4, vi % 4]
