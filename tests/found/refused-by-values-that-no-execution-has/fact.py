@T.prim_func
def main(F: T.Buffer((1,), "int32"), B: T.Buffer((8,), "int32")):
    T.assume(F[0] == 4)
    for i in range(8):
        if i < F[0]:
            F[0] = 4
            if i < 4:
                with T.block("b"):
                    vi = T.axis.opaque(8, i)
                    B[vi] = 1
