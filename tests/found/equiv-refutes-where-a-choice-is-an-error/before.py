@T.prim_func
def main(B: T.Buffer((1,), "int32"), C: T.Buffer((1,), "int32")):
    u: T.int32 = T.undef()
    B[0] = 10 // (u - 12345)
    C[0] = 1
