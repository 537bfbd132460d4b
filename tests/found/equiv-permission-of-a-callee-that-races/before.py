@I.ir_module
class Module:
    @T.prim_func
    def main(B: T.Buffer((4,), "int32")):
        C = T.alloc_buffer((1,), "int32")
        C[0] = 1
        for i in T.parallel(4):
            B[i] = C[0]
