@T.prim_func
def main(A: T.Buffer((5,), "int32"), B: T.Buffer((5,), "int32")):
    if A[0] * A[1] == 774427 and A[2] == A[3] + 34567:
        B[0] = A[0]
