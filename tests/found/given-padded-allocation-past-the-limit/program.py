@T.prim_func
def main(B: T.Buffer((4,), "int32"), n: T.int32):
    T.assume(n >= 4 and n <= 500000000)
    A = T.alloc_buffer((n,), "int32")
    for i in range(4):
        with T.block("a"):
            vi = T.axis.spatial(4, i)
            A[vi] = vi
    for i in range(4):
        with T.block("b"):
            vi = T.axis.spatial(4, i)
            B[vi] = A[vi]
