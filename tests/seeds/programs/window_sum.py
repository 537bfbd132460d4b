# A filter of three taps over 16 integers: plain, in tiles of four, and with the loops in the order of either buffer.
@I.ir_module
class WindowSum:
    @T.prim_func
    def plain(signal: T.Buffer((16,), "int32"), taps: T.Buffer((3,), "int32"), out: T.Buffer((14,), "int32")):
        for i in range(14):
            out[i] = 0
            for t in range(3):
                out[i] += taps[t] * signal[i + t]

    @T.prim_func
    def tiled(signal: T.Buffer((4, 4), "int32"), taps: T.Buffer((3,), "int32"), out: T.Buffer((4, 4), "int32")):
        for i in range(14):
            out[i // 4, i % 4] = 0
            for t in range(3):
                out[i // 4, i % 4] += taps[t] * signal[(i + t) // 4, (i + t) % 4]

    @T.prim_func
    def by_output(signal: T.Buffer((4, 4), "int32"), taps: T.Buffer((3,), "int32"), out: T.Buffer((4, 4), "int32")):
        for tile, lane in T.grid(4, 4):
            if tile * 4 + lane < 14:
                out[tile, lane] = 0
                for t in range(3):
                    out[tile, lane] += taps[t] * signal[tile + (lane + t) // 4, (lane + t) % 4]

    @T.prim_func
    def by_input(signal: T.Buffer((4, 4), "int32"), taps: T.Buffer((3,), "int32"), out: T.Buffer((4, 4), "int32")):
        for i in range(14):
            out[i // 4, i % 4] = 0
        for tile, lane, t in T.grid(4, 4, 3):
            if 0 <= tile * 4 + lane - t < 14:
                out[tile + (lane - t) // 4, (lane - t) % 4] += taps[t] * signal[tile, lane]
