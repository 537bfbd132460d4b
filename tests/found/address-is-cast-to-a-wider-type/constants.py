@T.prim_func
def f(A: T.Buffer((4,), "int32")):
    V = T.decl_buffer((32, 1073741824, 1073741824), "int32", data=A.data)
    V[16, 0, 0] = 1
