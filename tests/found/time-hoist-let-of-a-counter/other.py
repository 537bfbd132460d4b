@T.prim_func
def main(F: T.Buffer((2,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        x: T.int32 = F[0]
        B[i] = x
        F[1] = x + 1
