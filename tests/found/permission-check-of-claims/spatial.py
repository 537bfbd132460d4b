@T.prim_func
def main(B: T.Buffer((4,), "int32")):
    S = T.alloc_buffer((1,), "int32")
    for i in range(4):
        with T.block("b"):
            vi = T.axis.spatial(4, i)
            T.assume(S[0] == T.undef())
            B[vi] = vi
