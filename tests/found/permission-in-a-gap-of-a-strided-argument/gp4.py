@T.prim_func
def f(a: T.handle, B: T.Buffer((4,), "int32"), C: T.Buffer((1,), "int32")):
    A = T.match_buffer(a, (4,), "int32", strides=[2])
    V = T.decl_buffer((7,), "int32", data=A.data)
    T.assume(V[1] == T.undef())
    B[T.min(T.max(V[1], 0), 3)] = 1
