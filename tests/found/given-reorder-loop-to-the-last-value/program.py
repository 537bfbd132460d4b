@T.prim_func
def main(B: T.Buffer((256,), "int32")):
    for i in T.serial(T.int8(120), T.int8(120) + T.int8(8)):
        for j in range(4):
            B[T.Cast("int32", i) + j] = j
