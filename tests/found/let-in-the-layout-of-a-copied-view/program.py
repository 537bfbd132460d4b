@T.prim_func
def main(A: T.Buffer((16,), "int32"), D: T.Buffer((16,), "int32")):
    x = T.int32()
    for i in range(8):
        with T.block("D"):
            vi = T.axis.spatial(8, i)
            V = T.decl_buffer((4,), "int32", data=A.data, elem_offset=T.Let(x + 1, where={x: vi}))
            D[vi] = V[1]
