@T.prim_func
def main(B: T.Buffer((4,), "int32"), n: T.int32):
    if n >= 4 and n <= 1000:
        A = T.alloc_buffer((n, 8), "int32")
        for i in range(4):
            with T.block("a"):
                vi = T.axis.spatial(4, i)
                A[vi, 0] = vi
        for i in range(4):
            with T.block("b"):
                vi = T.axis.spatial(4, i)
                B[vi] = A[vi, 0]
