@T.prim_func
def main(A: T.Buffer((1,), "int32"), B: T.Buffer((32,), "int32")):
    for i, j in T.grid(4, 8):
        if T.wrap(T.wrap(T.wrap(i * 1073741824) * 2) + j) < 20:
            B[i * 8 + j] = 1
