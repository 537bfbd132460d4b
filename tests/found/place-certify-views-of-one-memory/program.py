@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
    V = T.decl_buffer((8, 8), "int32", data=A.data, strides=[1, 8])
    W = T.decl_buffer((56,), "int32", data=A.data, elem_offset=8)
    for i, j in T.grid(8, 8):
        V[i, j] = i * 8 + j
    for i in range(56):
        B[i] = W[i]
        A[i] = W[i] + 1
