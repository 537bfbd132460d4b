@T.prim_func
def main(B: T.Buffer((1,), "int32")):
    for i in T.serial(T.int8(90), T.int8(90) + T.int8(28)):
        if i > T.int8(110):
            B[0] = T.Cast("int32", i)
