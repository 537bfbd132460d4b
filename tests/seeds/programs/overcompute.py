# A window over tiles whose output is padded with zeros: guarded; and without the guard, which reads tile 4 of 4.
@I.ir_module
class Overcompute:
    @T.prim_func
    def guarded(signal: T.Buffer((4, 4), "float32"), out: T.Buffer((4, 4), "float32")):
        for tile, lane in T.grid(4, 4):
            if 0 <= tile * 4 + lane < 14:
                out[tile, lane] = 0.0
                for t in range(3):
                    out[tile, lane] += signal[tile + (lane + t) // 4, (lane + t) % 4]
        for tile, lane in T.grid(4, 4):
            if tile == 3 and lane >= 2:
                out[tile, lane] = 0.0

    @T.prim_func
    def out_of_bounds(signal: T.Buffer((4, 4), "float32"), out: T.Buffer((4, 4), "float32")):
        for tile, lane in T.grid(4, 4):
            out[tile, lane] = 0.0
            for t in range(3):
                out[tile, lane] += signal[tile + (lane + t) // 4, (lane + t) % 4]
        for tile, lane in T.grid(4, 4):
            if tile == 3 and lane >= 2:
                out[tile, lane] = 0.0

    @T.prim_func
    def branches_introduced(signal: T.Buffer((4, 4), "float32"), out: T.Buffer((4, 4), "float32")):
        for tile, lane in T.grid(4, 4):
            if tile == 3 and lane >= 2:
                pass
            else:
                out[tile, lane] = 0.0
                for t in range(3):
                    out[tile, lane] += signal[tile + (lane + t) // 4, (lane + t) % 4]
        for tile, lane in T.grid(4, 4):
            if tile == 3 and lane >= 2:
                out[tile, lane] = 0.0

    @T.prim_func
    def branches_simplified(signal: T.Buffer((4, 4), "float32"), out: T.Buffer((4, 4), "float32")):
        for tile, lane in T.grid(4, 4):
            if tile < 3 or (tile == 3 and lane < 2):
                out[tile, lane] = 0.0
                for t in range(3):
                    out[tile, lane] += signal[tile + (lane + t) // 4, (lane + t) % 4]
        for tile, lane in T.grid(4, 4):
            if tile == 3 and lane >= 2:
                out[tile, lane] = 0.0
