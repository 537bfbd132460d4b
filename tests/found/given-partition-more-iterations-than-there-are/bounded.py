@T.prim_func
def main(B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = i
