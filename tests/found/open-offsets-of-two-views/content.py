@T.prim_func
def content(x: T.float32, y: T.float32, z: T.float32, Y: T.Buffer((4,), "float32")):
    T.func_attr({"hexproof.fp": "contract"})
    S = T.alloc_buffer((8,), "int32")
    for i in range(8):
        S[i] = 0
    V = T.decl_buffer((4,), "int32", data=S.data, elem_offset=T.Select(x * y + z > T.float32(0), 0, 1))
    W = T.decl_buffer((4,), "int32", data=S.data, elem_offset=T.Select(x * y + z > T.float32(0), 0, 1))
    V[1] = 3
    W[0] = 100
    Y[V[1]] = T.float32(1)
