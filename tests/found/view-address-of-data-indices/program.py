@T.prim_func
def f(A: T.Buffer((4,), "int32"), F: T.Buffer((1,), "int32")):
    T.assume(F[0] == 65536)
    V = T.decl_buffer((70000, 65536), "int32", data=A.data)
    V[F[0], 0] = 7
