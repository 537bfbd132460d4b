@T.prim_func
def main(B: T.Buffer((1,), "int32")):
    for i in T.serial(T.int8(100), T.int8(127)):
        B[0] = T.Cast("int32", i)
