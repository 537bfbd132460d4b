@T.prim_func
def main(F: T.Buffer((1,), "int32"), C: T.Buffer((8,), "int32")):
    with T.block("b"):
        v = T.axis.opaque(8, T.min(T.max(F[0], 0), 7))
        F[0] = F[0] + 4
        C[v] = F[0] - v
