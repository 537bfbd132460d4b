@T.prim_func
def main(A: T.Buffer((8, 4), "int32"), C: T.Buffer((4, 2, 3), "int32")):
    B = T.alloc_buffer((8,), "int32")
    for i in range(4):
        for b in range(2):
            for x in range(3):
                for r in range(4 - 2 * b):
                    with T.block("B"):
                        v = T.axis.spatial(8, i + x)
                        vr = T.axis.reduce(4, r)
                        with T.init():
                            B[v] = 0
                        B[v] = B[v] + A[v, vr]
            for y in range(3):
                C[i, b, y] = B[i + y]
