@T.prim_func
def main(A: T.Buffer((210,), "int32"), C: T.Buffer((10, 128), "int32")):
    B = T.alloc_buffer((210,), "int32")
    for i in range(10):
        for x in range(200):
            with T.block("B"):
                v = T.axis.spatial(210, i + x)
                B[v] = A[v] * 2
        for y in T.serial(T.int8(9), T.int8(100)):
            C[i, y] = B[y]
