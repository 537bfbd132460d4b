@T.prim_func
def main(A: T.Buffer((8,), "int32")):
    for i in T.parallel(4):
        F = T.alloc_buffer((1,), "int32")
        F[0] = 3 - i
        with T.LetStmt(F[0]) as x:
            V = T.decl_buffer((1,), "int32", data=A.data, elem_offset=i + x)
            V[0] = i
