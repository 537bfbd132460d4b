# Each sum starts from the one before: the initial value cannot be split from the sum.
@I.ir_module
class RunningWindow:
    @T.prim_func
    def plain(signal: T.Buffer((16,), "int32"), taps: T.Buffer((3,), "int32"), out: T.Buffer((14,), "int32")):
        for i in range(14):
            if i == 0:
                out[0] = 0
            else:
                out[i] = out[i - 1]
            for t in range(3):
                out[i] += taps[t] * signal[i + t]

    @T.prim_func
    def tiled(signal: T.Buffer((4, 4), "int32"), taps: T.Buffer((3,), "int32"), out: T.Buffer((4, 4), "int32")):
        for i in range(14):
            if i == 0:
                out[0, 0] = 0
            else:
                out[i // 4, i % 4] = out[(i - 1) // 4, (i - 1) % 4]
            for t in range(3):
                out[i // 4, i % 4] += taps[t] * signal[(i + t) // 4, (i + t) % 4]

    @T.prim_func
    def split_wrongly(signal: T.Buffer((4, 4), "int32"), taps: T.Buffer((3,), "int32"), out: T.Buffer((4, 4), "int32")):
        for i in range(14):
            if i == 0:
                out[0, 0] = 0
            else:
                out[i // 4, i % 4] = out[(i - 1) // 4, (i - 1) % 4]
        for i, t in T.grid(14, 3):
            out[i // 4, i % 4] += taps[t] * signal[(i + t) // 4, (i + t) % 4]
