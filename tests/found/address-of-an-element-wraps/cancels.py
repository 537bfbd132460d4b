@T.prim_func
def main(A: T.Buffer((5,), "int32"), B: T.Buffer((5,), "int32")):
    low: T.int64 = T.int64(-9223372036854775807)
    V = T.decl_buffer((2, 2, 2), "int32", data=A.data, strides=[T.int64(9223372036854775807), T.int64(9223372036854775807), low], elem_offset=low)
    B[0] = V[1, 1, 1]
