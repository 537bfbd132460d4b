@T.prim_func
def main(A: T.Buffer((4,), "int32"), O: T.Buffer((4,), "int32")):
    U = T.alloc_buffer((4,), "int32")
    for i in range(4):
        U[i] = T.undef()
    for i in range(4):
        with T.block("C"):
            vi = T.axis.spatial(4, i)
            O[vi] = T.Cast("int32", U[0] > 0 and A[0] > 2) + T.min(U[1], 3)
