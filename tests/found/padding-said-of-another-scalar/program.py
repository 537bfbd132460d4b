# from tvm.script import tir as T
@T.prim_func
def main(X: T.Buffer((1,), "float32"), a: T.handle, d: T.handle, C: T.Buffer((16,), "int32"), max_: T.int32):
    max = T.int32()
    A = T.match_buffer(a, (max,), "int32")
    D = T.match_buffer(d, (max,), "int32")
    T.assume(max <= 13 and max >= 1)
    T.assume(max_ == 16)
    B = T.alloc_buffer((16,), "int32")
    for io, ii in T.grid((max + 3) // 4, 4):
        if io * 4 + ii < max:
            B[io * 4 + ii] = A[io * 4 + ii]
    for i in range(max):
        C[i] = B[i] + D[i]
