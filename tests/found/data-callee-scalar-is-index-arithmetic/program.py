@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((1,), "int32"), B: T.Buffer((2,), "int32")):
        if A[0] > 0:
            Module.f(B.data, A[0])

    @T.prim_func
    def f(B: T.Buffer((2,), "int32"), n: T.int32):
        T.assume(n > 0)
        if n + 1 > n:
            B[0] = 1
        else:
            B[5] = 1
