@I.ir_module
class Module:
    @T.prim_func
    def main(B: T.Buffer((1,), "int32")):
        Module.g(B.data)
    @T.prim_func
    def g(B: T.Buffer((1,), "int32")):
        U = T.alloc_buffer((1,), "int32")
        T.assume(U[0] == T.undef())
        B[0] = U[0]
