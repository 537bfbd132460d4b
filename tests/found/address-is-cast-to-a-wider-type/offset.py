@T.prim_func
def f(k: T.int64, A: T.Buffer((4,), "int32")):
    if k >= T.int64(0):
        if k < T.int64(4):
            V = T.decl_buffer((32, 1073741824, 1073741824), "int32", data=A.data, elem_offset=k)
            V[16, 0, 0] = 1
