# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((1,), "int32"), B: T.Buffer((1,), "int32")):
    x: T.int32 = T.undef()
    y: T.int32 = T.undef()
    A[0] = x
    B[0] = y
