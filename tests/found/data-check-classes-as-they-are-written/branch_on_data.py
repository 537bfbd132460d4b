@T.prim_func
def main(A: T.Buffer((1,), "int32"), B: T.Buffer((4,), "int32")):
    T.assume(A[0] >= 0)
    if A[0] + 1 < 4:
        B[A[0] + 1] = 1
