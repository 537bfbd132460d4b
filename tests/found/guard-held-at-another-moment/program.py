# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((1,), "int32"), C: T.Buffer((1,), "int32")):
    B = T.alloc_buffer((1,), "int32")
    if A[0] > 0:
        B[0] = 1
    A[0] = 1
    if A[0] > 0:
        C[0] = B[0]
