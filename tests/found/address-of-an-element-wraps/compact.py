@T.prim_func
def main(A: T.Buffer((5,), "int32"), B: T.Buffer((5,), "int32")):
    V = T.decl_buffer((3, T.int64(1099511627776), T.int64(1099511627776)), "int32", data=A.data)
    B[0] = V[2, 0, 2]
