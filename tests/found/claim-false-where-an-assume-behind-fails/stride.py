@T.prim_func
def f(a: T.handle, B: T.Buffer((8,), "int32")):
    s = T.int32()
    A = T.match_buffer(a, (1, 4), "int32", strides=[s, 1])
    for i in range(2):
        with T.block("b"):
            vi = T.axis.spatial(5, i * s)
            B[i] = A[0, i]
    T.assume(s == 4)
