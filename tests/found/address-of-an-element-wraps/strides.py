@T.prim_func
def main(A: T.Buffer((5,), "int32"), B: T.Buffer((5,), "int32")):
    V = T.decl_buffer((5,), "int32", data=A.data, strides=[T.int64(4611686018427387904)])
    B[0] = V[4]
