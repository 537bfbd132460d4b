@T.prim_func
def main(B: T.Buffer((4,), "int32")):
    S = T.alloc_buffer((5,), "int32")
    S[0] = 1
    for i in range(4):
        T.assume(S[i + 1] == T.undef())
        B[i] = S[i]
