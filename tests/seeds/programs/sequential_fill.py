# Filling a buffer in tiles of four: over the old loop, and over the tiles; 16 cells fill them, 14 do not.
@I.ir_module
class SequentialFill:
    @T.prim_func
    def whole_by_cell(cells: T.Buffer((4, 4), "int32")):
        for i in range(16):
            cells[i // 4, i % 4] = i

    @T.prim_func
    def whole_by_tile(cells: T.Buffer((4, 4), "int32")):
        for tile, lane in T.grid(4, 4):
            cells[tile, lane] = tile * 4 + lane

    @T.prim_func
    def part_by_cell(cells: T.Buffer((4, 4), "int32")):
        for i in range(14):
            cells[i // 4, i % 4] = 42

    @T.prim_func
    def part_by_tile(cells: T.Buffer((4, 4), "int32")):
        for tile, lane in T.grid(4, 4):
            if 0 <= tile * 4 + lane < 14:
                cells[tile, lane] = 42
