@T.prim_func
def main(A: T.Buffer((6,), "float32"), B: T.Buffer((8,), "float32")):
    for i in range(8):
        with T.block("B"):
            vi = T.axis.spatial(8, i)
            B[vi] = T.if_then_else(1 <= vi and vi < 7, A[vi - 1], T.float32("-inf"))
