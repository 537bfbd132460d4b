# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((1,), "int32"), B: T.Buffer((4,), "int32")):
    T.assume(A[0] >= 0 and A[0] < 4)
    A[0] = A[0] + 1
    B[A[0]] = 1
