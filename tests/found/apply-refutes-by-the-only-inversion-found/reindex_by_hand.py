@T.prim_func
def main(A: T.Buffer((64,), "int32"), O: T.Buffer((64,), "int32")):
    A_reindex = T.alloc_buffer((64,), "int32")
    for ax0 in range(64):
        with T.block("A_reindex"):
            v0 = T.axis.spatial(64, ax0)
            A_reindex[v0] = A[v0]
    for i in range(64):
        with T.block("B"):
            vi = T.axis.spatial(64, (i * 3) % 64)
            O[vi] = A_reindex[vi]
