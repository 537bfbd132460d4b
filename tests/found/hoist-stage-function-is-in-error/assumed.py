@I.ir_module
class Module:
    @T.prim_func
    def main(I: T.Buffer((4,), "int32"), D: T.Buffer((4,), "int32"), C: T.Buffer((4,), "int32")):
        for i in range(4):
            T.assume(I[i] >= 0)
            T.assume(I[i] < 4)
        for i in range(4):
            D[i] = i
        for i in range(4):
            C[i] = D[I[i]]
