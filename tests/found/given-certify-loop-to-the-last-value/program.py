@T.prim_func
def main(B: T.Buffer((256,), "int32")):
    for i in T.serial(T.int8(100), T.int8(100) + T.int8(28)):
        B[i] = T.Cast("int32", i)
    for i in T.serial(T.uint8(250), T.uint8(250) + T.uint8(6)):
        B[i] = T.Cast("int32", i)
    for i in T.serial(T.int32(2147483640), T.int32(2147483640) + T.int32(8)):
        B[i - 2147483640] = i
