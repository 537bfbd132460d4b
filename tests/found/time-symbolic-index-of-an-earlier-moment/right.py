@T.prim_func
def main(A: T.Buffer((4,), "int32"), F: T.Buffer((1,), "int32")):
    if F[0] >= 0 and F[0] < 3:
        F[0] = F[0] + 1
        A[F[0] - 1] = 1
