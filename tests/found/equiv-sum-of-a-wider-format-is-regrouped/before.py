# from tvm.script import tir as T
@T.prim_func
def f(A: T.Buffer((3,), "float16"), O: T.Buffer((1,), "float16")):
    O[0] = T.Cast("float16", T.Cast("float32", A[0]) + T.Cast("float32", A[1])) + A[2]
