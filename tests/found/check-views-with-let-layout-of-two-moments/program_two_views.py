@T.prim_func
def main(F: T.Buffer((1,), "int32"), B: T.Buffer((2,), "int32")):
    M = T.alloc_buffer((16,), "int32")
    F[0] = 0
    with T.LetStmt(F[0]) as x:
        V = T.decl_buffer((1,), "int32", data=M.data, elem_offset=x)
        V[0] = 7
    F[0] = 5
    with T.LetStmt(F[0]) as y:
        W = T.decl_buffer((1,), "int32", data=M.data, elem_offset=y)
        B[0] = W[0]
