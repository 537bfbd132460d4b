@T.prim_func
def main(B: T.Buffer((8,), "int32")):
    A = T.alloc_buffer((16,), "int32")
    V = T.decl_buffer((8,), "int32", data=A.data, elem_offset=8)
    A[0] = 1
    for i in range(8):
        V[i] = i
    for i in range(8):
        B[i] = V[i] + A[0]
