@T.prim_func
def main(B: T.Buffer((256,), "int32")):
    for i in T.serial(T.uint8(250), T.uint8(250) + T.uint8(6)):
        B[i] = T.Cast("int32", i)
