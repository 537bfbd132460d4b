@T.prim_func
def main(F: T.Buffer((1,), "int32"), B: T.Buffer((4,), "int32"), n: T.int32):
    T.assume(F[0] == n)
    T.assume(F[0] == 1)
    F[0] = 5
    for i, j in T.grid(n, 4):
        B[0] = j
