@T.prim_func
def main(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    V = T.decl_buffer((), "int32", data=A.data, elem_offset=100)
    B[0] = V[()]
