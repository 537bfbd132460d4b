@T.prim_func
def main(a: T.handle, C: T.Buffer((1,), "int32"), o: T.int32):
    A = T.match_buffer(a, (2, 2), "int32", elem_offset=o)
    T.assume(o >= 0 and o <= 8)
    A[0, 0] = 1
    C[0] = A[0, 0]
