@T.prim_func
def main(a: T.handle, B: T.Buffer((4,), "int32"), s: T.int32):
    A = T.match_buffer(a, (2, 4), "int32", strides=[T.max(s, 4), 1])
    T.assume(B[0] * B[1] == 77)
    A[1, 3] = 1
