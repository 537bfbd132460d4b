@T.prim_func
def main(F: T.Buffer((2,), "int8"), A: T.Buffer((T.int8(4), T.int8(100)), "int32")):
    if F[0] >= T.int8(0) and F[0] < T.int8(4) and F[1] >= T.int8(0) and F[1] < T.int8(100):
        A[F[0], F[1]] = 2
