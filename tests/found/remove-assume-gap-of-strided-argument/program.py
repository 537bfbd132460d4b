@T.prim_func
def main(a: T.handle, C: T.Buffer((1,), "int32")):
    A = T.match_buffer(a, (4,), "int32", strides=[2])
    V = T.decl_buffer((7,), "int32", data=A.data)
    T.assume(V[1] == T.undef())
    C[0] = V[1]
