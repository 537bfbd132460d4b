from tvm.script import tir as T
@T.prim_func
def main(A: T.Buffer((4,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(2):
        for j in range(2):
            V = T.decl_buffer((1,), "int32", data=A.data, elem_offset=i * 2 + j)
            B[i * 2 + j + T.bitwise_and(V[0], 1)] = i
