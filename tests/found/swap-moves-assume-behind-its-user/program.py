@T.prim_func
def main(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32"), n: T.int32):
    for i in range(4):
        B[i] = 1
    T.assume(n >= 0 and n < 4)
    for j in range(4):
        A[n] = A[n] + 1
