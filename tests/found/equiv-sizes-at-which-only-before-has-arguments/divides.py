from tvm.script import tir as T

@T.prim_func
def f(a: T.handle, b: T.handle, d: T.int32):
    n = T.int32()
    A = T.match_buffer(a, (n,), "int32")
    B = T.match_buffer(b, (n + 0 * (8 // d),), "int32")
    for i in range(n):
        A[i] = 1
