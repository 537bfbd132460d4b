@T.prim_func
def f(A: T.Buffer((4,), "int32")):
    V = T.decl_buffer((64, 1073741824, 1073741824), "int32", data=A.data)
    for i in range(2):
        for p in T.parallel(2):
            V[i * 16, 0, p] = p
