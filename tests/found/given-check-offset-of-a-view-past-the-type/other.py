@T.prim_func
def main(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    V = T.Buffer((4,), "int32", data=A.data, elem_offset=T.uint64(5))
    for i in range(4):
        B[i] = A[i]
