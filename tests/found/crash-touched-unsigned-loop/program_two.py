@T.prim_func
def main(A: T.Buffer((300,), "int32")):
    for i in T.serial(T.uint8(0), T.uint8(200)):
        A[i] = 1
    for i in T.serial(T.uint8(100), T.uint8(156)):
        A[i] = 1
