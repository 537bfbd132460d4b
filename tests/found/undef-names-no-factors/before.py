@T.prim_func
def main(x: T.handle, a: T.handle, c: T.int32):
    n = T.int32()
    X = T.match_buffer(x, (n,), "int8")
    A = T.match_buffer(a, (n,), "int8")
    for i in range(n):
        A[i] = T.int8(0)
