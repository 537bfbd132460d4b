@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((8, 4), "int32"), B: T.Buffer((8, 4), "int32")):
        X = T.alloc_buffer((9, 4), "int32")
        for r, j in T.grid(9, 4):
            X[r, j] = 0
        for i in range(8):
            W = T.alloc_buffer((4,), "int32")
            with T.block("fill"):
                T.block_attr({"double_buffer_scope": 0})
                for j in range(4):
                    W[j] = X[i, j]
            for j in range(4):
                B[i, j] = W[j]
            Module.g(X.data, A.data, i)

    @T.prim_func
    def g(X: T.Buffer((9, 4), "int32"), A: T.Buffer((8, 4), "int32"), i: T.int32):
        T.assume(i >= 0 and i < 8)
        for j in range(4):
            X[i + 1, j] = A[i, j]
