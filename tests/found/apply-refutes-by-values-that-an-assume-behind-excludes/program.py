@T.prim_func
def main(A: T.Buffer((64,), "int32"), O: T.Buffer((16,), "int32"), n: T.int32):
    T.assume(n >= 0 and n <= 40)
    for i in range(16):
        O[i] = A[n + i]
