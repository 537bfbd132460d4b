@T.prim_func
def main(A: T.Buffer((T.uint64(4), T.uint64(8)), "int32"), O: T.Buffer((8,), "int32")):
    for i in range(4):
        if A[i, 0] == 123456789:
            O[T.Ramp(0, 1, 8)] = A[i, T.Ramp(7, -1, 8)]
        else:
            O[T.Ramp(0, 1, 8)] = A[i, T.Ramp(0, 1, 8)]
