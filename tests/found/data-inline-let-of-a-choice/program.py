@T.prim_func
def main(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32"), n: T.int32):
    T.assume(n > 0)
    x: T.int32 = T.if_then_else(n > 0, n, A[0])
    for i in range(4):
        B[i] = x + i
