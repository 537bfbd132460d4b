# Loops side by side: two that may become one, and a stencil that may not.
@I.ir_module
class AdjacentLoops:
    @T.prim_func
    def overwrite(cells: T.Buffer((16,), "float32")):
        for i in range(16):
            cells[i] = 0.0
        for i in range(16):
            cells[i] = 1.0

    @T.prim_func
    def overwrite_merged(cells: T.Buffer((16,), "float32")):
        for i in range(16):
            cells[i] = 0.0
            cells[i] = 1.0

    @T.prim_func
    def chain(cells: T.Buffer((16,), "float32")):
        for i in range(16):
            cells[i] = 0.0
        for i in range(16):
            if i > 0:
                cells[i] = cells[i - 1] + 1.0

    @T.prim_func
    def chain_merged(cells: T.Buffer((16,), "float32")):
        for i in range(16):
            cells[i] = 0.0
            if i > 0:
                cells[i] = cells[i - 1] + 1.0

    @T.prim_func
    def stencil(cells: T.Buffer((16,), "float32")):
        for i in range(16):
            cells[i] = i
        for i in range(16):
            if 0 < i < 15:
                cells[i] = cells[i - 1] + cells[i] + cells[i + 1]
