@T.prim_func
def f(A: T.Buffer((4,), "int32"), F: T.Buffer((1,), "int32")):
    T.assume(F[0] == 65536)
    V = T.decl_buffer((70000, 4), "int32", data=A.data, strides=[65536, 1])
    V[F[0], 0] = 7
