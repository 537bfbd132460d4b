@T.prim_func
def main(B: T.Buffer((4, 4), "int32")):
    S = T.alloc_buffer((4, 4), "int32")
    for i, j in T.grid(4, 4):
        T.assume(S[i, j] == T.undef())
        B[i, j] = S[i, j]
