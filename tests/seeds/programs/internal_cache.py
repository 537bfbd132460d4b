# A sum over 14 cells through a local copy in tiles of four, whose padding is zero.
@I.ir_module
class InternalCache:
    @T.prim_func
    def plain(values: T.Buffer((14,), "int32"), total: T.Buffer((1,), "int32")):
        total[0] = 0
        for i in range(14):
            total[0] += values[i]

    @T.prim_func
    def cached(values: T.Buffer((14,), "int32"), total: T.Buffer((1,), "int32")):
        copy = T.alloc_buffer([14], dtype="int32", scope="local")
        for i in range(14):
            copy[i] = values[i]
        total[0] = 0
        for i in range(14):
            total[0] += copy[i]

    @T.prim_func
    def tiled(values: T.Buffer((14,), "int32"), total: T.Buffer((1,), "int32")):
        copy = T.alloc_buffer([4, 4], dtype="int32", scope="local")
        for tile, lane in T.grid(4, 4):
            if tile * 4 + lane < 14:
                copy[tile, lane] = values[tile * 4 + lane]
        for tile, lane in T.grid(4, 4):
            if tile == 3 and lane >= 2:
                copy[tile, lane] = 0
        total[0] = 0
        for tile, lane in T.grid(4, 4):
            if tile * 4 + lane < 14:
                total[0] += copy[tile, lane]

    @T.prim_func
    def overcomputed(values: T.Buffer((14,), "int32"), total: T.Buffer((1,), "int32")):
        copy = T.alloc_buffer([4, 4], dtype="int32", scope="local")
        for tile, lane in T.grid(4, 4):
            if tile * 4 + lane < 14:
                copy[tile, lane] = values[tile * 4 + lane]
        for tile, lane in T.grid(4, 4):
            if tile == 3 and lane >= 2:
                copy[tile, lane] = 0
        total[0] = 0
        for tile, lane in T.grid(4, 4):
            total[0] += copy[tile, lane]
