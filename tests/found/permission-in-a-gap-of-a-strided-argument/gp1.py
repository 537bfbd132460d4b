@T.prim_func
def f(a: T.handle, B: T.Buffer((4,), "int32")):
    A = T.match_buffer(a, (4,), "int32", strides=[2])
    V = T.decl_buffer((7,), "int32", data=A.data)
    T.assume(V[1] == T.undef())
    if V[1] > 0:
        B[0] = 1
    else:
        B[0] = 2
