@T.prim_func
def main(Y: T.Buffer((4,), "int32"), A: T.Buffer((4,), "int32")):
    for i in range(4):
        A[i] = Y[i] * Y[i] * 3
