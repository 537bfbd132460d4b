@T.prim_func
def main(B: T.Buffer((255,), "int32")):
    for i in T.serial(T.uint8(200), T.uint8(200) + T.uint8(56)):
        B[i] = 1
