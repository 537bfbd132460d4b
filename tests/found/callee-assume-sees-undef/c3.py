@I.ir_module
class Module:
    @T.prim_func
    def main(X: T.Buffer((1,), "int32"), B: T.Buffer((1,), "int32")):
        A = T.alloc_buffer((4,), "int32")
        for i in range(4):
            A[i] = 0
        if X[0] > 0:
            A[0] = T.undef()
        Module.consumer(A.data, B.data)

    @T.prim_func
    def consumer(A: T.Buffer((4,), "int32"), B: T.Buffer((1,), "int32")):
        T.assume(T.max(A[0], 0) >= 0)
        B[0] = 1
