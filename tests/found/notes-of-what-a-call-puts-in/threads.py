@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((4, 4), "int32")):
        for t in T.thread_binding(4, thread="threadIdx.x"):
            Module.g(A.data, t)

    @T.prim_func
    def g(A: T.Buffer((4, 4), "int32"), t: T.int32):
        T.assume(t >= 0 and t < 4)
        for s in T.thread_binding(4, thread="threadIdx.x"):
            A[t, s] = t + s
