@T.prim_func
def main(A: T.Buffer((16,), "int32"), C: T.Buffer((4,), "int32"), n: T.int32):
    T.assume(n >= 4 and n <= 8)
    y: T.int32 = n * 2
    W = T.decl_buffer((16,), "int32")
    for i in range(y):
        with T.block("b"):
            vi = T.axis.spatial(y, i)
            W[vi] = A[vi]
    for j in range(4):
        with T.block("c"):
            vj = T.axis.spatial(4, j)
            C[vj] = W[vj] + W[vj + 1]
