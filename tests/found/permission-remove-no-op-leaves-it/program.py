@T.prim_func
def main(B: T.Buffer((4,), "int32"), C: T.Buffer((4,), "int32")):
    S = T.alloc_buffer((4,), "int32")
    for i in range(4):
        T.assume(i > 1 or S[i] == T.undef())
    for i in range(4):
        if i > 1:
            S[i] = 3
    for i in range(4):
        C[i] = S[i]
    B[0] = B[0]
