# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((1,), "int32"), C: T.Buffer((2,), "int32"), n: T.int32):
    T.assume(A[0] <= 0 or n != 0)
    C[0] = T.if_then_else(A[0] > 0, 8 // n, 0)
    C[1] = 8 // n
