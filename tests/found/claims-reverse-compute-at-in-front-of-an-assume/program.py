@T.prim_func
def main(n: T.int32, A: T.Buffer((16,), "int32"), O: T.Buffer((16,), "int32")):
    X = T.alloc_buffer((16,), "int32")
    for x in range(T.min(T.max(n, 0), 16)):
        with T.block("P"):
            v = T.axis.spatial(16, x)
            X[v] = A[v] + 1
    T.assume(n <= 8)
    for s in range(T.min(T.max(n, 0), 16)):
        with T.block("C"):
            v = T.axis.spatial(8, s)
            O[v] = X[v] * 2
