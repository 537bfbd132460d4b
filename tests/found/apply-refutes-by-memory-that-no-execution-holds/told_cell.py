@T.prim_func
def main(A: T.Buffer((16,), "float32"), F: T.Buffer((1,), "int32"), C: T.Buffer((16,), "float32"), n: T.int32):
    T.assume(F[0] == n)
    T.assume(F[0] == 1)
    B = T.alloc_buffer((16,), "float32")
    for i in range(16):
        with T.block("B"):
            v = T.axis.spatial(16, i)
            B[v] = A[v] * A[v] + A[v]
    for x in range(n):
        for i in range(16):
            with T.block("C"):
                v = T.axis.spatial(16, i)
                C[v] = B[v]
