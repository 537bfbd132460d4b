@T.prim_func
def main(B: T.Buffer((16,), "int32")):
    V = T.decl_buffer((8,), "int32", data=B.data, elem_offset=1)
    for i in range(8):
        with T.block("b"):
            vi = T.axis.opaque(8, i)
            B[vi] = T.if_then_else(1 <= vi and vi < 7, V[vi], 0)
