@T.prim_func
def main(A: T.Buffer((16,), "int32"), B: T.Buffer((8,), "int32")):
    W = T.decl_buffer((8,), "int32", data=A.data, elem_offset=1)
    for i in range(8):
        A[i] = i
        B[i] = W[i]
