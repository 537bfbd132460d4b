@T.prim_func
def main(A: T.Buffer((4, 4), "int32x4"), B: T.Buffer((1,), "int32x4")):
    for io, ii in T.grid(4, 4):
        if io * 4 + ii < 14:
            B[0] = B[0] + A[io, ii]
