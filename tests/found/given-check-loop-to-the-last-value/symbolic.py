@T.prim_func
def main(B: T.Buffer((4,), "int32"), m: T.int32, n: T.int32):
    T.assume(n >= 1 and 2147483647 - n + 1 >= m)
    for i in T.serial(m, m + n):
        if i == 2147483647:
            B[4] = 1
