@T.prim_func
def main(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32"), n: T.int32):
    M = T.alloc_buffer((4,), "int32")
    for i in range(4):
        M[i] = A[i]
    V = T.decl_buffer((), "int32", data=A.data, elem_offset=n)
    if V[()] > 0:
        B[0] = M[0]
