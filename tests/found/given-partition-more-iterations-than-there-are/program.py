@T.prim_func
def main(B: T.Buffer((8,), "int32")):
    for i in range(7):
        B[i] = i
