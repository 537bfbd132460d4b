from tvm.script import tir as T
@T.prim_func
def main(A: T.Buffer((2,), "int32"), B: T.Buffer((4,), "int32")):
    for i in T.parallel(2):
        V = T.decl_buffer((1,), "int32", data=A.data)
        if V[0] == i:
            B[0] = i
