@T.prim_func
def main(B: T.Buffer((4,), "int32")):
    M = T.alloc_buffer((1,), "int32")
    for i in range(4):
        if i == 0:
            T.assume(M[0] == T.undef())
        if i == 3:
            B[i] = M[0]
