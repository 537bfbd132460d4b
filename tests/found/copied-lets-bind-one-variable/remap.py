@T.prim_func
def main(A: T.Buffer((8,), "int32"), O: T.Buffer((8,), "int32")):
    x = T.int32()
    for i in range(T.Let(x + 1, where={x: 7})):
        with T.block("P"):
            vi = T.axis.remap("S", [i])
            O[vi] = A[vi]
