@T.prim_func
def main(a: T.handle, C: T.Buffer((1,), "int32"), s: T.int32):
    A = T.match_buffer(a, (4, 2), "int32", strides=[s, 1])
    C[0] = A[0, 0]
