@T.prim_func
def main(F: T.Buffer((2,), "int32"), A: T.Buffer((4, 100), "int32")):
    if F[0] >= 0 and F[0] < 4 and F[1] >= 0 and F[1] < 100:
        A[F[0], F[1]] = 2
