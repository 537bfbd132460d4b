@T.prim_func
def main(A: T.Buffer((4, 4), "int32"), C: T.Buffer((4,), "int32")):
    S = T.alloc_buffer((4,), "int32")
    for i in range(4):
        T.assume(S[i] == T.undef())
    for i in range(4):
        for k in range(4):
            with T.block("s"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    C[vi] = S[vi]
                C[vi] = C[vi] + A[vi, vk]
