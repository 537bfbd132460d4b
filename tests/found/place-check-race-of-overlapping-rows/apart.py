@T.prim_func
def main(A: T.Buffer((64,), "int32")):
    for i in T.parallel(8):
        V = T.decl_buffer((8,), "int32", data=A.data, elem_offset=i * 8)
        for j in range(8):
            V[j] = i
