@T.prim_func
def main(A: T.Buffer((16,), "int32")):
    V = T.decl_buffer((4, 4), "int32", data=A.data, strides=[1, 4])
    for i, j in T.grid(4, 4):
        V[i, j] = i * 10 + j
