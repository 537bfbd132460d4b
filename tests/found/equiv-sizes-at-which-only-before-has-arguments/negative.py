from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((4,), "int32"), b: T.handle):
    n = T.int32()
    B = T.match_buffer(b, (n, 2 * n - 7), "int32")
    for i in range(4):
        A[i] = T.if_then_else(n < 4, 99, 1)
