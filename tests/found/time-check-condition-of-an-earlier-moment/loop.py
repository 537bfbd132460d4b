@T.prim_func
def main(A: T.Buffer((1,), "int32"), B: T.Buffer((4,), "int32")):
    if A[0] >= 0 and A[0] < 4:
        for i in range(2):
            B[A[0]] = 1
            A[0] = A[0] + 1
