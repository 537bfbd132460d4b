@T.prim_func
def main(B: T.Buffer((8,), "int32"), m: T.int32, k: T.int32):
    if k > 0:
        T.assume(m < 5)
    if k > 0:
        if m < 5:
            with T.block("b"):
                vi = T.axis.opaque(8, 0)
                B[vi] = 1
