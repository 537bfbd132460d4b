@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
        for t in T.thread_binding(4, thread="threadIdx.x"):
            Module.g(A.data, B.data, t)

    @T.prim_func
    def g(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32"), t: T.int32):
        T.assume(t >= 0 and t < 4)
        with T.block("b"):
            v = T.axis.reduce(4, t)
            B[v] = A[v]
