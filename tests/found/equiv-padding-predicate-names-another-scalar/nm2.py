@T.prim_func
def f(a: T.handle, n: T.int32, B: T.Buffer((1,), "int32")):
    k = T.int64()
    A = T.match_buffer(a, (k,), "int32")
    T.assume(n > 2000000000)
    if k >= T.int64(1):
        B[0] = A[k - T.int64(1)] * 0
    else:
        B[0] = 0
