@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((6,), "int32"), B: T.Buffer((6,), "int32")):
        Module.g(A.data, B.data)
    @T.prim_func
    def g(A: T.Buffer((6,), "int32"), B: T.Buffer((6,), "int32")):
        T.assume(A[5] == T.undef())
        for i in range(6):
            B[i] = A[i]
