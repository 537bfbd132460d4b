@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((32,), "int32")):
    V = T.decl_buffer((32,), "int32", data=A.data, elem_offset=2)
    for i in range(32):
        B[i] = V[i]
