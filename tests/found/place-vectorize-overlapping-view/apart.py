@T.prim_func
def main(A: T.Buffer((16,), "int32")):
    V = T.decl_buffer((8, 2), "int32", data=A.data, strides=[1, 8])
    for i in range(8):
        V[i, 0] = V[i, 1]
