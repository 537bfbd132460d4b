@T.prim_func
def main(C: T.Buffer((64,), "int32"), n: T.int32):
    T.assume(n >= 1 and n <= 4)
    y: T.int32 = n * 2
    W = T.decl_buffer((8, y), "int32")
    for i in range(8):
        for j in range(y):
            with T.block("b"):
                vi = T.axis.spatial(8, i)
                vj = T.axis.opaque(y, j)
                W[vi, vj] = vi
    for i in range(8):
        for j in range(y):
            with T.block("c"):
                vi = T.axis.spatial(8, i)
                vj = T.axis.opaque(y, j)
                C[vi * 8 + vj] = W[vi, vj]
