@T.prim_func
def main(A: T.Buffer((30,), "int32"), B: T.Buffer((32,), "int32"), O: T.Buffer((30,), "int32"), n: T.int32):
    T.assume(n >= 1)
    T.assume(n <= 30)
    for x, r in T.grid((n + 3) // 4, 4):
        with T.block("B"):
            v = T.axis.spatial(32, x * 4 + r)
            B[v] = A[0] * 2
    for i in range(n):
        with T.block("C"):
            v = T.axis.spatial(30, i)
            O[v] = B[v]
