@T.prim_func
def main(B: T.Buffer((4,), "int32")):
    S = T.alloc_buffer((1,), "int32")
    for i in T.parallel(4):
        T.assume(S[0] == T.undef())
        B[i] = i
