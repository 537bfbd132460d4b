@T.prim_func
def main(A: T.Buffer((T.int8(127),), "int32")):
    for i in range(T.int8(127)):
        A[i] = 1
