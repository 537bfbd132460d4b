# An element-wise operator over padding that may hold anything, and a sum over two kinds of padding.
@I.ir_module
class ArbitraryPadding:
    @T.prim_func
    def double(source: T.Buffer((4, 4), "int32"), target: T.Buffer((4, 4), "int32")):
        for tile, lane in T.grid(4, 4):
            T.assume(tile * 4 + lane < 14 or source[tile, lane] == T.undef())
        for tile, lane in T.grid(4, 4):
            if tile * 4 + lane < 14:
                target[tile, lane] = source[tile, lane] * 2
        for tile, lane in T.grid(4, 4):
            if tile * 4 + lane >= 14:
                target[tile, lane] = T.undef()

    @T.prim_func
    def double_everywhere(source: T.Buffer((4, 4), "int32"), target: T.Buffer((4, 4), "int32")):
        for tile, lane in T.grid(4, 4):
            T.assume(tile * 4 + lane < 14 or source[tile, lane] == T.undef())
        for tile, lane in T.grid(4, 4):
            target[tile, lane] = source[tile, lane] * 2
        for tile, lane in T.grid(4, 4):
            if tile * 4 + lane >= 14:
                target[tile, lane] = T.undef()

    @T.prim_func
    def double_lowered(source: T.Buffer((4, 4), "int32"), target: T.Buffer((4, 4), "int32")):
        for tile, lane in T.grid(4, 4):
            target[tile, lane] = source[tile, lane] * 2

    @T.prim_func
    def two_paddings(matrix: T.Buffer((4, 4, 8, 8), "int32"), sums: T.Buffer((4, 4), "int32")):
        for a, b, c, d in T.grid(4, 4, 8, 8):
            T.assume(c * 8 + d < 60 or matrix[a, b, c, d] == 0)
        for a, b, c, d in T.grid(4, 4, 8, 8):
            if c * 8 + d < 60:
                T.assume(a * 4 + b < 14 or matrix[a, b, c, d] == T.undef())
        for a, b in T.grid(4, 4):
            if a * 4 + b < 14:
                sums[a, b] = 0
                for c, d in T.grid(8, 8):
                    if c * 8 + d < 60:
                        sums[a, b] += matrix[a, b, c, d]
        for a, b in T.grid(4, 4):
            if a * 4 + b >= 14:
                sums[a, b] = T.undef()

    @T.prim_func
    def two_paddings_overcomputed(matrix: T.Buffer((4, 4, 8, 8), "int32"), sums: T.Buffer((4, 4), "int32")):
        for a, b in T.grid(4, 4):
            sums[a, b] = 0
            for c, d in T.grid(8, 8):
                sums[a, b] += matrix[a, b, c, d]
