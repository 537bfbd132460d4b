@T.prim_func
def main(A: T.Buffer((4,), "int32"), D: T.Buffer((4,), "int32")):
    u: T.int32 = T.undef()
    D[0] = 10 // u
    D[1] = 2
