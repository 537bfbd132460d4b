@T.prim_func
def main(A: T.Buffer((1,), "int32"), B: T.Buffer((2,), "int32"), n: T.int32):
    T.assume(n > -2147483648)
    if A[0] + 1 > n:
        B[0] = 1
    if A[0] > n - 1:
        B[1] = 1
