@T.prim_func
def main(A: T.Buffer((101,), "int32"), D: T.Buffer((6,), "int32"), O: T.Buffer((4,), "int32")):
    T.assume(D[5] == 100)
    B = T.alloc_buffer((4,), "int32")
    for v in range(4):
        with T.block("P"):
            vv = T.axis.spatial(4, v)
            B[vv] = A[vv]
    D[5] = 0
    A[D[5]] = 7
    for i in range(4):
        with T.block("C"):
            vi = T.axis.spatial(4, i)
            O[vi] = B[vi]
