@T.prim_func
def main(A: T.Buffer((5,), "int32"), F: T.Buffer((4,), "int32"), n: T.int32):
    if n > 0:
        for i in range(4):
            if F[i] == n:
                A[i] = 1
                F[i] = 0
            if F[i] == 0 - n:
                A[i + 1] = 2
                F[i] = n
