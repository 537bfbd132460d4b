@T.prim_func
def main(b: T.handle, n: T.int32):
    m = T.int32()
    B = T.match_buffer(b, (m,), "int32")
    x = T.int32()
    T.assume(n != 0 or m == 0)
    for i in range(m):
        if T.Let(n > 2, where={x: 8 // n}):
            B[i] = 1
