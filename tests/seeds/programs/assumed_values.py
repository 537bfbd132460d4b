# Facts from assumes: of a scalar for good, of a cell until it is written.
@I.ir_module
class AssumedValues:
    @T.prim_func
    def small(out: T.Buffer((16,), "int32"), n: T.int32):
        T.assume(n >= 0 and n < 8)
        for i in range(16):
            out[i] = n // 8

    @T.prim_func
    def small_simplified(out: T.Buffer((16,), "int32"), n: T.int32):
        T.assume(n >= 0 and n < 8)
        for i in range(16):
            out[i] = 0

    @T.prim_func
    def until_written(values: T.Buffer((16,), "int32"), total: T.Buffer((1,), "int32")):
        T.assume(total[0] == 0)
        if values[0] == total[0]:
            for i in range(16):
                total[0] += values[i]

    @T.prim_func
    def until_written_simplified(values: T.Buffer((16,), "int32"), total: T.Buffer((1,), "int32")):
        T.assume(total[0] == 0)
        if values[0] == 0:
            for i in range(16):
                total[0] += values[i]
