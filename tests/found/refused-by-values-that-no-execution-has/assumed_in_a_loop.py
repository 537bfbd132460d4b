@T.prim_func
def main(B: T.Buffer((8,), "int32"), m: T.int32):
    T.assume(m >= 0)
    T.assume(m < 100)
    for i in range(4):
        T.assume(m + i < 10)
    if m < 7:
        with T.block("b"):
            vi = T.axis.opaque(8, 0)
            B[vi] = 1
