@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
        T.assume(A[0] >= 0 and A[0] < 4)
        B[A[0]] = 1
        Module.g(A.data)

    @T.prim_func
    def g(A: T.Buffer((4,), "int32")):
        for i in range(4):
            A[i] = A[i] + 1
