# Conditions moved out of loops, and loops shortened to where their condition holds.
@I.ir_module
class HoistedConditions:
    @T.prim_func
    def bound_inside(cells: T.Buffer((4,), "float32")):
        for i in range(4):
            inside = i < 3
            if inside:
                cells[i] = 0.0

    @T.prim_func
    def corner(cells: T.Buffer((4, 4), "float32")):
        for i, j in T.grid(4, 4):
            if i == 0 and j < 2:
                cells[i, j] = 0.0

    @T.prim_func
    def corner_hoisted(cells: T.Buffer((4, 4), "float32")):
        for i in range(4):
            if i == 0:
                for j in range(4):
                    if j < 2:
                        cells[i, j] = 0.0

    @T.prim_func
    def corner_reduced(cells: T.Buffer((4, 4), "float32")):
        row = 0
        for j in range(2):
            cells[row, j] = 0.0
