@T.prim_func
def main(B: T.Buffer((1,), "int32"), C: T.Buffer((1,), "int32")):
    B[0] = 10
    C[0] = 2
