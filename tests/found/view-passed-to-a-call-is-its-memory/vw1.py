@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((4,), "int32")):
        V = T.decl_buffer((2,), "int32", data=A.data, elem_offset=2)
        Module.g(V)

    @T.prim_func
    def g(X: T.Buffer((4,), "int32")):
        X[0] = 1
