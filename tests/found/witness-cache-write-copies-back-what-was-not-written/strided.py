@T.prim_func
def main(A: T.Buffer((64,), "int32"), n: T.int32):
    T.assume(n >= 1 and n <= 8)
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            A[vi * n] = vi
