@T.prim_func
def main(B: T.Buffer((8,), "int32")):
    A = T.alloc_buffer((16,), "int32")
    V = T.decl_buffer((8,), "int32", data=A.data, elem_offset=1, strides=[2])
    for i in range(16):
        A[i] = i
    for i in range(8):
        B[i] = V[i]
