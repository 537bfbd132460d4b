@T.prim_func
def f(i: T.int32, A: T.Buffer((4,), "int32")):
    if i == 16:
        V = T.decl_buffer((32, 1073741824, 1073741824), "int32", data=A.data)
        V[i, 0, 0] = 1
