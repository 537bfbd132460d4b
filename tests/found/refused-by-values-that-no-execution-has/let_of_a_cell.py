@T.prim_func
def main(N: T.Buffer((1,), "int32"), C: T.Buffer((64,), "int32")):
    T.assume(N[0] >= 1 and N[0] <= 8)
    y: T.int32 = N[0]
    W = T.decl_buffer((8, y), "int32")
    for i in range(8):
        for j in range(y):
            with T.block("b"):
                vi = T.axis.opaque(8, i)
                vj = T.axis.opaque(8, j)
                W[vi, vj] = vi
    for i in range(8):
        for j in range(y):
            with T.block("c"):
                vi = T.axis.opaque(8, i)
                vj = T.axis.opaque(8, j)
                C[vi * 8 + vj] = W[vi, vj]
