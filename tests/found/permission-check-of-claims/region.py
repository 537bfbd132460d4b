@T.prim_func
def main(B: T.Buffer((4,), "int32")):
    S = T.alloc_buffer((4,), "int32")
    for i in range(4):
        with T.block("b"):
            vi = T.axis.spatial(4, i)
            T.reads(S[vi])
            T.writes(B[vi])
            T.assume(S[vi] == T.undef())
            B[vi] = vi
