@T.prim_func
def main(A: T.Buffer((1,), "int32"), B: T.Buffer((1,), "int32")):
    B[0] = 0
    if A[0] < 5:
        B[0] = 1
