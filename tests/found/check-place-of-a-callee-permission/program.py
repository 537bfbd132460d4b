@I.ir_module
class Module:
    @T.prim_func
    def main(B: T.Buffer((8,), "int32"), n: T.int32):
        C = T.alloc_buffer((8,), "int32")
        J = T.alloc_buffer((1,), "int32")
        if n > 0:
            Module.f(C.data, J.data, B.data, n)

    @T.prim_func
    def f(A: T.Buffer((8,), "int32"), J: T.Buffer((1,), "int32"), B: T.Buffer((8,), "int32"), n: T.int32):
        T.assume(n < 0 or A[J[0] % 8] == T.undef() or n > 0)
        for i in range(8):
            B[i] = 1
