@T.prim_func
def main(A: T.Buffer((T.uint64(4), T.uint64(8)), "float32"), O: T.Buffer((8,), "float32")):
    for i in range(4):
        O[T.Ramp(0, 1, 8)] = A[i, T.Ramp(0, 1, 8)]
