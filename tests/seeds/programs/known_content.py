# A store of what is there already; on floats the zero that is there may be negative.
@I.ir_module
class KnownContent:
    @T.prim_func
    def stored_again(values: T.Buffer((16,), "float32"), total: T.Buffer((1,), "float32")):
        T.assume(total[0] == 0.0)
        total[0] = 0.0
        for i in range(16):
            total[0] += values[i]

    @T.prim_func
    def left_alone(values: T.Buffer((16,), "float32"), total: T.Buffer((1,), "float32")):
        T.assume(total[0] == 0.0)
        for i in range(16):
            total[0] += values[i]

    @T.prim_func
    def stored_again_integer(values: T.Buffer((16,), "int32"), total: T.Buffer((1,), "int32")):
        T.assume(total[0] == 0)
        total[0] = 0
        for i in range(16):
            total[0] += values[i]
