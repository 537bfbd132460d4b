@T.prim_func
def main(C: T.Buffer((14,), "int32")):
    A_backing = T.alloc_buffer((14,), "int32")
    A = T.decl_buffer((4, 4), "int32", data=A_backing.data)
    for io, ii in T.grid(4, 4):
        if io * 4 + ii < 14:
            A[io, ii] = io
    for i in range(14):
        C[i] = A[i // 4, i % 4]
