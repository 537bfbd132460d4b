@T.prim_func
def main(B: T.Buffer((4,), "int32")):
    B[0] = 7
