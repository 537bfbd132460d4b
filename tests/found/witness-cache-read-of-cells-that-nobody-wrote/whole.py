@T.prim_func
def main(B: T.Buffer((8,), "int32")):
    A = T.alloc_buffer((16,), "int32")
    for i in range(16):
        A[i] = i
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            B[vi] = A[vi * 2]
