@T.prim_func
def main(b: T.handle):
    n = T.int32()
    B = T.match_buffer(b, (n,), "int8")
    for i in range(n):
        B[i] = T.Cast("int8", i)
