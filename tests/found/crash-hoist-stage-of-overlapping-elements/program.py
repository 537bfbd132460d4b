@I.ir_module
class Module:
    @T.prim_func
    def main(B: T.Buffer((1,), "int32")):
        t = T.alloc_buffer((4, 4), "int32", strides=[0, 1])
        t[0, 0] = 100
        for i in range(4):
            t[0, i] = i
        B[0] = t[0, 0]
