@I.ir_module
class Module:
    @T.prim_func
    def g(X: T.Buffer(4, "float32"), A: T.Buffer(4, "float32"), B: T.Buffer(4, "int32")):
        for i in range(4):
            T.assume(not (X[i] < T.float32(0)) or (T.float32(1) / (A[i] + T.float32(0)) > T.float32(5) and B[i] != B[i]))
            if X[i] < T.float32(0):
                B[i] = 1

    @T.prim_func
    def main(A: T.Buffer(4, "float32"), B: T.Buffer(4, "int32")):
        X = T.alloc_buffer((4,), "float32")
        for i in range(4):
            T.assume(A[i] == T.float32(0))
            X[i] = T.float32(1) / (A[i] + T.float32(0))
        Module.g(X, A, B)
