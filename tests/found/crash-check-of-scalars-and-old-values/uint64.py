from tvm.script import ir as I
from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def g(B: T.Buffer((4,), "int32"), k: T.int32):
        T.assume(k < 4 and k >= 0)
        B[k] = 1

    @T.prim_func
    def main(B: T.Buffer((4,), "int32"), z: T.uint64):
        Module.g(B, 1)
        if z > T.uint64(18446744073709551610):
            B[4] = 1
