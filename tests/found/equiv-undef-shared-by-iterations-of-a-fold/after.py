@T.prim_func
def f(b: T.handle, m: T.int32):
    n = T.int32()
    B = T.match_buffer(b, (n,), "int32")
    if n >= 1:
        if m // 7 == 1428600:
            for i in range(2):
                B[0] = T.undef() - B[0]
        else:
            B[0] = B[0]
