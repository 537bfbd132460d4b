from tvm.script import ir as I, tir as T
@I.ir_module
class Module:
    @T.prim_func
    def main(C: T.Buffer((4,), "int32")):
        A = T.alloc_buffer((4,), "int32")
        V = T.decl_buffer((4,), "int32", data=A.data)
        for i in range(4):
            with T.block("s"):
                A[i] = i
        for i in range(4):
            with T.block("t"):
                C[i] = V[i]
