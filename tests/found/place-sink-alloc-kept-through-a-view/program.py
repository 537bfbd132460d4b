@T.prim_func
def main(B: T.Buffer((8,), "int32")):
    A = T.alloc_buffer((1,), "int32")
    V = T.decl_buffer((1,), "int32", data=A.data)
    for i in range(8):
        if i == 0:
            V[0] = 5
        B[i] = A[0]
