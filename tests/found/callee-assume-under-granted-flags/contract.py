@I.ir_module
class Module:
    @T.prim_func
    def g(X: T.Buffer(1, "float32"), A: T.Buffer(3, "float32"), B: T.Buffer(4, "int32")):
        T.assume(not (X[0] < A[0] * A[1] + A[2]))
        B[0] = 0

    @T.prim_func
    def main(A: T.Buffer(3, "float32"), B: T.Buffer(4, "int32")):
        X = T.alloc_buffer((1,), "float32")
        X[0] = A[0] * A[1] + A[2]
        Module.g(X, A, B)
