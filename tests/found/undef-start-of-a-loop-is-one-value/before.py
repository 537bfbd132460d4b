@T.prim_func
def main(x: T.handle, y: T.handle, a: T.handle):
    n = T.int32()
    X = T.match_buffer(x, (n,), "int32")
    Y = T.match_buffer(y, (n,), "int32")
    A = T.match_buffer(a, (n,), "int32")
    for i in range(n):
        A[i] = T.undef(dtype="int32")
        for k in range(2):
            A[i] = A[i] - A[i]
