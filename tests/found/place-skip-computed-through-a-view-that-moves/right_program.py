@T.prim_func
def main(A: T.Buffer((40,), "int32"), C: T.Buffer((4, 4), "int32")):
    B = T.alloc_buffer((8,), "int32")
    for i in range(4):
        V = T.decl_buffer((8,), "int32", data=A.data, elem_offset=8)
        for y in range(4):
            with T.block("B"):
                v = T.axis.opaque(8, i + y)
                B[v] = V[v]
        for y in range(4):
            C[i, y] = B[i + y]
