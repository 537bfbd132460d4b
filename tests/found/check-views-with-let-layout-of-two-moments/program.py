@T.prim_func
def main(F: T.Buffer((1,), "int32"), B: T.Buffer((2,), "int32")):
    M = T.alloc_buffer((16,), "int32")
    F[0] = 0
    for i in range(2):
        with T.LetStmt(F[0]) as x:
            V = T.decl_buffer((1,), "int32", data=M.data, elem_offset=x)
            if i == 0:
                V[0] = 7
            else:
                B[0] = V[0]
        F[0] = 5
