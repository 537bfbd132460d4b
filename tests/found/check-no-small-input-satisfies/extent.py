@T.prim_func
def f(a: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n,), "int8")
    T.assume(n > 5000)
    A[5000] = T.int8(1)
