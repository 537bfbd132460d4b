@T.prim_func
def view(x: T.float32, y: T.float32, z: T.float32, Y: T.Buffer((8,), "float32")):
    T.func_attr({"hexproof.fp": "contract"})
    S = T.alloc_buffer((8,), "float32")
    V = T.decl_buffer((4,), "float32", data=S.data, elem_offset=T.Select(x * y + z > T.float32(0), 0, 4))
    W = T.decl_buffer((4,), "float32", data=S.data, elem_offset=T.Select(x * y + z > T.float32(0), 0, 4))
    V[0] = T.float32(1)
    Y[0] = W[0]
