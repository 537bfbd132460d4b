@I.ir_module
class Module:
    @T.prim_func
    def main(B: T.Buffer((4,), "int32")):
        C = T.alloc_buffer((1,), "int32")
        C[0] = 1
        for i in T.parallel(4):
            Module.g(C.data, B.data, i)

    @T.prim_func
    def g(C: T.Buffer((1,), "int32"), B: T.Buffer((4,), "int32"), i: T.int32):
        T.assume(i >= 0 and i < 4)
        T.assume(C[0] == T.undef())
        B[i] = C[0]
