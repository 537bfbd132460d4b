@T.prim_func
def f(a: T.handle, b: T.handle):
    n = T.int32()
    m = T.int32()
    A = T.match_buffer(a, (n, 100), "int8")
    B = T.match_buffer(b, (m,), "int8")
    T.assume(n > 64)
    T.assume(m > 0)
    A[50, 50] = T.int8(1)
