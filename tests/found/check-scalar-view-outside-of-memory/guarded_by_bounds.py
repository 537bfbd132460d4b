@T.prim_func
def main(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32"), n: T.int32):
    V = T.decl_buffer((), "int32", data=A.data, elem_offset=n)
    for i in range(4):
        B[i] = T.undef(dtype="int32")
    for i in range(4):
        if 0 <= n and n < 4:
            B[i] = V[()]
