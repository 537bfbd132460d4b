@I.ir_module
class Module:
    @T.prim_func
    def main(C: T.Buffer((4,), "int32")):
        A = T.alloc_buffer((4,), "int32")
        for i in range(2):
            A[i] = 0
        Module.consumer(A.data, C.data)

    @T.prim_func
    def consumer(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
        for i in range(4):
            T.assume(A[i] == 0 or i >= 2)
        B[0] = A[0]
