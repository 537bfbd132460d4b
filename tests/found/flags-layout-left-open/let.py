@T.prim_func
def f(A: T.Buffer((16,), "float32"), O: T.Buffer((4,), "float32"), a: T.float32, b: T.float32, c: T.float32):
    x: T.int32 = T.if_then_else(a * b + c > T.float32(0), 1, 0)
    for i in range(4):
        V = T.decl_buffer((8,), "float32", data=A.data, elem_offset=x)
        O[i] = V[i]
