@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
        T.func_attr({"hexproof.padding.0": "lambda i: i >= 3"})
        for i in range(4):
            A[i] = i
        for j in range(4):
            B[j] = A[j]
