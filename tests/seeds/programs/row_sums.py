# The sum of each row of 14, over rows stored in tiles of four: guarded, and without the guard when padding is zero.
@I.ir_module
class RowSums:
    @T.prim_func
    def plain(matrix: T.Buffer((16, 14), "float32"), sums: T.Buffer((16,), "float32")):
        for row in range(16):
            sums[row] = 0.0
            for col in range(14):
                sums[row] += matrix[row, col]

    @T.prim_func
    def guarded(matrix: T.Buffer((16, 4, 4), "float32"), sums: T.Buffer((16,), "float32")):
        for row in range(16):
            sums[row] = 0.0
            for tile, lane in T.grid(4, 4):
                if tile * 4 + lane < 14:
                    sums[row] += matrix[row, tile, lane]

    @T.prim_func
    def unguarded(matrix: T.Buffer((16, 4, 4), "float32"), sums: T.Buffer((16,), "float32")):
        for row, tile, lane in T.grid(16, 4, 4):
            T.assume(tile * 4 + lane < 14 or matrix[row, tile, lane] == 0.0)
        for row in range(16):
            sums[row] = 0.0
            for tile, lane in T.grid(4, 4):
                sums[row] += matrix[row, tile, lane]
