@T.prim_func
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32"), K: T.Buffer((1,), "int32")):
    K[0] = 1
    for i in range(8):
        with T.block("c"):
            vi = T.axis.opaque(8, i)
            B[vi * K[0]] = A[vi]
