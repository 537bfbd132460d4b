@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
        S = T.alloc_buffer((4,), "int32", scope="shared")
        Module.g(A.data, S.data)
        Module.h(S.data, B.data)

    @T.prim_func
    def g(A: T.Buffer((4,), "int32"), S: T.Buffer((4,), "int32", scope="shared")):
        for s in T.thread_binding(4, thread="threadIdx.x"):
            S[s] = A[s]

    @T.prim_func
    def h(S: T.Buffer((4,), "int32", scope="shared"), B: T.Buffer((4,), "int32")):
        for s in T.thread_binding(4, thread="threadIdx.x"):
            B[s] = S[3 - s]
