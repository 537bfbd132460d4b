@T.prim_func
def main(A: T.Buffer((4,), "int32"), D: T.Buffer((4,), "int32"), n: T.int32):
    T.assume(n <= 10)
    for i in range(n):
        T.assume(n > 20)
    D[0] = 1
