@I.ir_module
class Module:
    @T.prim_func
    def main(B: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32")):
        A = T.alloc_buffer((8,), "int32")
        Module.g(A.data, B.data)
        for i in range(7):
            C[i] = A[i]

    @T.prim_func
    def g(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
        for i in range(8):
            A[i] = B[i]
