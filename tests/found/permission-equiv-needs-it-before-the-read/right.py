@T.prim_func
def main(B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = i
