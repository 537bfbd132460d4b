# from tvm.script import tir as T
@T.prim_func
def f(A: T.Buffer((3,), "float32"), O: T.Buffer((1,), "float32")):
    O[0] = (A[0] - A[1]) - A[2]
