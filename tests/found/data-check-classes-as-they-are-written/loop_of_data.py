@T.prim_func
def main(A: T.Buffer((1,), "int32"), B: T.Buffer((1,), "int32")):
    T.assume(A[0] >= 0 and A[0] < 4)
    for i in range(A[0]):
        B[0] = i + 2147483647
