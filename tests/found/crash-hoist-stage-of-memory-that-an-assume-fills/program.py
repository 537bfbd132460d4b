@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
        L = T.alloc_buffer((4,), "int32")
        T.assume(L[0] == T.undef())
        M = T.alloc_buffer((4,), "int32")
        for i in range(4):
            M[i] = L[0] - L[0] + A[i]
        for j in range(4):
            B[j] = M[j]
