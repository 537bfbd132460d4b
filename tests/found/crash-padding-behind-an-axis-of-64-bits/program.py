# from tvm.script import tir as T
@T.prim_func
def main(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (T.int64(14), n), "int32")
    B = T.match_buffer(b, (T.int64(14), n), "int32")
    for i in range(14):
        for j in range(n):
            with T.block("b"):
                v, w = T.axis.remap("SS", [i, j])
                B[v, w] = A[v, w]
