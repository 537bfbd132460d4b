@T.prim_func
def main(A: T.Buffer((64,), "int32")):
    V = T.decl_buffer((8, 8), "int32", data=A.data, strides=[7, 1])
    for i in T.parallel(8):
        for j in range(8):
            V[i, j] = i
