@T.prim_func
def f(A: T.Buffer((16,), "float32"), a: T.float32, b: T.float32, c: T.float32):
    V1 = T.decl_buffer((8,), "float32", data=A.data, elem_offset=T.if_then_else(a * b + c > T.float32(0), 1, 0))
    V2 = T.decl_buffer((8,), "float32", data=A.data, elem_offset=T.if_then_else(a * b + c > T.float32(0), 1, 0))
    for i in T.parallel(8):
        V1[i] = V2[i] + T.float32(1)
