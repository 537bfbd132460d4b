@T.prim_func
def main(A: T.Buffer((9,), "int32"), B: T.Buffer((8,), "int32")):
    V = T.decl_buffer((8,), "int32", data=A.data)
    W = T.decl_buffer((8,), "int32", data=A.data, elem_offset=1)
    for i in range(8):
        V[i] = i
    for j in range(8):
        B[j] = W[j]
