@T.prim_func
def parview(x: T.float32, y: T.float32, z: T.float32, Y: T.Buffer((8,), "float32")):
    T.func_attr({"hexproof.fp": "contract"})
    for i in T.parallel(2):
        V = T.decl_buffer((4,), "float32", data=Y.data, elem_offset=T.Select(x * y + z > T.float32(0), 0, 4))
        V[i] = T.float32(1)
@T.prim_func
def parview2(x: T.float32, y: T.float32, z: T.float32, Y: T.Buffer((8,), "float32")):
    T.func_attr({"hexproof.fp": "contract"})
    for i in T.parallel(2):
        V = T.decl_buffer((4,), "float32", data=Y.data, elem_offset=T.Select(x * y + z > T.float32(0), 0, 1))
        V[i * 1] = T.float32(1)
@T.prim_func
def serview(x: T.float32, y: T.float32, z: T.float32, Y: T.Buffer((8,), "float32")):
    T.func_attr({"hexproof.fp": "contract"})
    S = T.alloc_buffer((8,), "float32")
    for i in range(2):
        V = T.decl_buffer((4,), "float32", data=S.data, elem_offset=T.Select(x * y + z > T.float32(0), 0, 4))
        if i == 0:
            V[0] = T.float32(1)
        if i == 1:
            Y[0] = V[0]
@T.prim_func
def strview(x: T.float32, y: T.float32, z: T.float32, Y: T.Buffer((8,), "float32")):
    T.func_attr({"hexproof.fp": "contract"})
    S = T.alloc_buffer((16,), "float32")
    V = T.decl_buffer((4,), "float32", data=S.data, strides=(T.Select(x * y + z > T.float32(0), 1, 2),))
    W = T.decl_buffer((4,), "float32", data=S.data, strides=(T.Select(x * y + z > T.float32(0), 1, 2),))
    V[1] = T.float32(1)
    Y[0] = W[1]
@T.prim_func
def shview(x: T.float32, y: T.float32, z: T.float32, Y: T.Buffer((8,), "float32")):
    T.func_attr({"hexproof.fp": "contract"})
    S = T.alloc_buffer((16,), "float32")
    V = T.decl_buffer((2, T.Select(x * y + z > T.float32(0), 4, 8)), "float32", data=S.data)
    W = T.decl_buffer((2, T.Select(x * y + z > T.float32(0), 4, 8)), "float32", data=S.data)
    V[1, 0] = T.float32(1)
    Y[0] = W[1, 0]
@T.prim_func
def nszview(x: T.float32, Y: T.Buffer((8,), "float32")):
    T.func_attr({"hexproof.fp": "nsz"})
    S = T.alloc_buffer((16,), "float32")
    V = T.decl_buffer((4,), "float32", data=S.data, elem_offset=T.Select(T.float32(1) / x > T.float32(0), 0, 4))
    W = T.decl_buffer((4,), "float32", data=S.data, elem_offset=T.Select(T.float32(1) / x > T.float32(0), 0, 4))
    V[1] = T.float32(1)
    Y[0] = W[1]
