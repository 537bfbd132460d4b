# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((1,), "int32"), B: T.Buffer((4,), "int32")):
    A[0] = A[0] + 1
    if A[0] == A[0] + 1:
        B[0] = 1
    else:
        B[4] = 1
