@T.prim_func
def main(a: T.handle, o: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n,), "int32")
    O = T.match_buffer(o, (n,), "int32")
    T.assume(n >= 1)
    for i in range(n):
        O[i] = A[i]
