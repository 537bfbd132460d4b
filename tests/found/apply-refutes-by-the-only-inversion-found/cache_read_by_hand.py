@T.prim_func
def main(A: T.Buffer((64,), "int32"), O: T.Buffer((64,), "int32")):
    B = T.alloc_buffer((64,), "int32")
    B_local = T.alloc_buffer((64,), "int32", scope="local")
    for i in range(64):
        with T.block("P"):
            vi = T.axis.opaque(64, i)
            B[(vi * 3) % 64] = A[vi]
    for ax0 in range(64):
        with T.block("B_local"):
            v0 = T.axis.spatial(64, ax0)
            B_local[v0] = B[v0]
    for i in range(64):
        with T.block("C"):
            vi = T.axis.opaque(64, i)
            O[vi] = B_local[(vi * 3) % 64] + 1
