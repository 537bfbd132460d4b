@T.prim_func
def main(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    for i in range(16):
        with T.block("pad"):
            vi = T.axis.spatial((0, 16 + i % 2), i)
            B[vi] = T.if_then_else(vi < 10, A[vi], 0)
