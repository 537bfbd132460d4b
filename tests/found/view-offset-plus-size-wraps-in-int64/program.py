@T.prim_func
def f(A: T.Buffer((8,), "int32"), P: T.Buffer((1,), "int64")):
    T.assume(P[0] >= T.int64(9223372036854775804))
    x: T.int64 = P[0]
    V = T.decl_buffer((4,), "int32", data=A.data, elem_offset=x)
    V[3] = 1
