# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((8,), "int32")):
    V = T.decl_buffer((4,), "int32", data=A.data)
    W = T.decl_buffer((4,), "int32", data=A.data, strides=[2])
    for i in T.parallel(4):
        W[i] = V[i] + 1
