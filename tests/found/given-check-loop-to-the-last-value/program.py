@T.prim_func
def main(B: T.Buffer((127,), "int32")):
    for i in T.serial(T.int8(100), T.int8(100) + T.int8(28)):
        B[i] = 1
