@T.prim_func
def main(B: T.Buffer((4,), "int32")):
    S = T.alloc_buffer((4,), "int32")
    for i in range(4):
        B[i] = S[i] - S[i] + i
        T.assume(S[i] == T.undef())
