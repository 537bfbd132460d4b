@T.prim_func
def f(a: T.handle, B: T.Buffer((100,), "int32"), C: T.Buffer((100,), "int32")):
    m = T.int32()
    A = T.match_buffer(a, (m,), "int32")
    for i in range(16):
        T.assume(i < m)
        with T.block("b"):
            vi = T.axis.spatial(16, i)
            B[vi * 6 + 1] = A[vi]
