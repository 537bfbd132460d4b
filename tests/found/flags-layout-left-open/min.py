@T.prim_func
def f(A: T.Buffer((16,), "float32"), a: T.float32, b: T.float32, c: T.float32):
    V1 = T.decl_buffer((8,), "float32", data=A.data, elem_offset=T.Cast("int32", T.min(T.max(a * b + c, T.float32(0)), T.float32(4))))
    V2 = T.decl_buffer((8,), "float32", data=A.data, elem_offset=T.Cast("int32", T.min(T.max(a * b + c, T.float32(0)), T.float32(4))))
    for i in T.parallel(8):
        V1[i] = V2[i] + T.float32(1)
