@T.prim_func
def main(x: T.handle, a: T.handle):
    n = T.int32()
    X = T.match_buffer(x, (n,), "int32")
    A = T.match_buffer(a, (n,), "int32")
    for i in range(n):
        A[i] = T.undef(dtype="int32")
        for k in range(n):
            A[i] = A[i] + X[k]
