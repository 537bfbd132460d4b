# from tvm.script import tir as T
@T.prim_func
def main(n: T.int64, a: T.handle, b: T.handle):
    A = T.match_buffer(a, (n,), "int32")
    B = T.match_buffer(b, (1,), "int32")
    B[0] = 1
    if n > T.int64(300000):
        A[300000] = 5
