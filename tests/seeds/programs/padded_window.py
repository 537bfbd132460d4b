# A window of three with a border of two, over 16 values: plain; in tiles of eight with an offset of two, so that there
# is padding at both ends; and without any condition, with an index that is taken modulo three to stay in bounds.
@I.ir_module
class PaddedWindow:
    @T.prim_func
    def plain(signal: T.Buffer((16,), "float32"), taps: T.Buffer((3,), "float32"), out: T.Buffer((18,), "float32")):
        for o in range(18):
            out[o] = 0.0
            for t in range(3):
                at = o - t + 2
                if 0 <= at < 16:
                    out[o] += taps[t] * signal[at]

    @T.prim_func
    def tiled(signal: T.Buffer((3, 8), "float32"), taps: T.Buffer((3,), "float32"), out: T.Buffer((3, 8), "float32")):
        for a, b in T.grid(3, 8):
            T.assume((a == 0 and b >= 2) or (0 < a and a < 2) or (a == 2 and b < 2) or signal[a, b] == 0.0)
        for o in range(18):
            out[(o + 2) // 8, (o + 2) % 8] = 0.0
            for t in range(3):
                at = o - t + 2
                if 0 <= at < 16:
                    out[(o + 2) // 8, (o + 2) % 8] += taps[t] * signal[(at + 2) // 8, (at + 2) % 8]
        for a, b in T.grid(3, 8):
            if (a == 0 and b < 2) or (a == 2 and b >= 6):
                out[a, b] = 0.0

    @T.prim_func
    def by_input(signal: T.Buffer((3, 8), "float32"), taps: T.Buffer((3,), "float32"), out: T.Buffer((3, 8), "float32")):
        for a, b in T.grid(3, 8):
            T.assume((a == 0 and b >= 2) or (0 < a and a < 2) or (a == 2 and b < 2) or signal[a, b] == 0.0)
        for a, b in T.grid(3, 8):
            out[a, b] = 0.0
        for a, b, t in T.grid(3, 8, 3):
            if 0 <= a * 8 + b - 2 < 16 and 0 <= a * 8 + b + t - 2 < 18:
                out[a + (b + t) // 8, (b + t) % 8] += taps[t] * signal[a, b]

    @T.prim_func
    def by_row(signal: T.Buffer((3, 8), "float32"), taps: T.Buffer((3,), "float32"), out: T.Buffer((3, 8), "float32")):
        for a, b in T.grid(3, 8):
            T.assume((a == 0 and b >= 2) or (0 < a and a < 2) or (a == 2 and b < 2) or signal[a, b] == 0.0)
        for a, b in T.grid(3, 8):
            out[a, b] = 0.0
        for a in range(3):
            if a == 0:
                for b in range(8):
                    if b >= 2:
                        for t in range(3):
                            out[a + (b + t) // 8, (b + t) % 8] += taps[t] * signal[a, b]
            elif a == 2:
                for b in range(8):
                    if b < 2:
                        for t in range(3):
                            out[a + (b + t) // 8, (b + t) % 8] += taps[t] * signal[a, b]
            else:
                for b, t in T.grid(8, 3):
                    out[a + (b + t) // 8, (b + t) % 8] += taps[t] * signal[a, b]

    @T.prim_func
    def unconditional(signal: T.Buffer((3, 8), "float32"), taps: T.Buffer((3,), "float32"), out: T.Buffer((3, 8), "float32")):
        for a, b in T.grid(3, 8):
            T.assume((a == 0 and b >= 2) or (0 < a and a < 2) or (a == 2 and b < 2) or signal[a, b] == 0.0)
        for a, b in T.grid(3, 8):
            out[a, b] = 0.0
        for a, b, t in T.grid(3, 8, 3):
            out[(a + (b + t) // 8) % 3, (b + t) % 8] += taps[t] * signal[a, b]
