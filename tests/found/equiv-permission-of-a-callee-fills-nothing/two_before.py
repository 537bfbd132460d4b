@I.ir_module
class Module:
    @T.prim_func
    def f(X: T.Buffer((4,), "int32"), Y: T.Buffer((4,), "int32")):
        T.assume(X[0] == T.undef() or X[1] == T.undef())
        Y[0] = X[0]

    @T.prim_func
    def main(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
        C = T.alloc_buffer((4,), "int32")
        C[0] = T.undef()
        Module.f(C.data, B.data)
