@T.prim_func
def main(B: T.Buffer((4,), "int32")):
    S = T.alloc_buffer((1,), "int32")
    for i in range(4):
        T.assume(S[0] == T.undef())
        B[i] = i
    B[0] = S[0]
