@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((4, 4), "int32"), B: T.Buffer((1,), "int32")):
        V = T.decl_buffer((4, 4), "int32", data=A.data, strides=[1, 4])
        Module.g(V, B)

    @T.prim_func
    def g(X: T.Buffer((4, 4), "int32"), B: T.Buffer((1,), "int32")):
        B[0] = X[0, 1]
