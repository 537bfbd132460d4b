@T.prim_func
def main(A: T.Buffer((8,), "int32"), O: T.Buffer((8,), "int32")):
    x = T.int32()
    for i in range(8):
        with T.block("B"):
            vi = T.axis.spatial(T.Let(x + 1, where={x: 7}), i)
            O[vi] = A[vi]
