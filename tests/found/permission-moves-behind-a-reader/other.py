@T.prim_func
def main(B: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32")):
    S = T.alloc_buffer((8,), "int32")
    R = T.alloc_buffer((8,), "int32")
    for i in range(8):
        R[i] = i
    for k in range(8):
        T.assume(S[k] == T.undef())
    for j in range(8):
        C[j] = R[j]
