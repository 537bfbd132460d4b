@I.ir_module
class Module:
    @T.prim_func
    def main(C: T.Buffer((8,), "int32"), n: T.int32):
        A = T.alloc_buffer((4,), "int32")
        for i in range(4):
            A[i] = 1
        for i in range(4):
            with T.block("b"):
                v = T.axis.spatial(4, i)
                Module.f(A.data, C.data, v, n)

    @T.prim_func
    def f(A: T.Buffer((4,), "int32"), C: T.Buffer((8,), "int32"), i: T.int32, n: T.int32):
        T.assume(i >= 0 and i < 4)
        T.assume(n > 0 or A[0] == T.undef())
        C[i] = A[0]
