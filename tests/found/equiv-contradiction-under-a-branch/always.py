@T.prim_func
def main(A: T.Buffer((4,), "int32"), n: T.int32, m: T.int32):
    T.assume(m == 1)
    T.assume(m == 2)
    A[0] = 1
