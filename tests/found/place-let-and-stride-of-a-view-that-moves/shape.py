from tvm.script import tir as T
@T.prim_func
def main(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in T.parallel(2):
        V = T.decl_buffer((2, i + 1), "int32", data=A.data)
        B[i + T.bitwise_and(V[1, 0], 1)] = i
