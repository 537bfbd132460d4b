@T.prim_func
def main(B: T.Buffer((8,), "int32")):
    S = T.alloc_buffer((8,), "int32")
    for i in range(8):
        T.assume(S[i] == T.undef())
        S[7 - i] = 3
    for i in range(8):
        B[i] = S[i]
