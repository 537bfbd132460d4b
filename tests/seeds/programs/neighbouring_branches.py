# Branches side by side: under one condition, under opposite ones, and where the first changes what the second reads.
@I.ir_module
class NeighbouringBranches:
    @T.prim_func
    def same(left: T.Buffer((16,), "float32"), right: T.Buffer((16,), "float32")):
        for i in range(16):
            if i < 8:
                left[i] = 0.0
            else:
                left[i] = 1.0
            if i // 8 == 0:
                right[i] = 2.0
            else:
                right[i] = 3.0

    @T.prim_func
    def same_merged(left: T.Buffer((16,), "float32"), right: T.Buffer((16,), "float32")):
        for i in range(16):
            if i < 8:
                left[i] = 0.0
                right[i] = 2.0
            else:
                left[i] = 1.0
                right[i] = 3.0

    @T.prim_func
    def opposite(left: T.Buffer((4, 4), "float32"), right: T.Buffer((4, 4), "float32")):
        for i, j in T.grid(4, 4):
            if i * 4 + j < 14:
                left[i, j] = 0.0
            else:
                left[i, j] = 1.0
            if i == 3 and j >= 2:
                right[i, j] = 2.0
            else:
                right[i, j] = 3.0

    @T.prim_func
    def opposite_merged(left: T.Buffer((4, 4), "float32"), right: T.Buffer((4, 4), "float32")):
        for i, j in T.grid(4, 4):
            if i * 4 + j < 14:
                left[i, j] = 0.0
                right[i, j] = 3.0
            else:
                left[i, j] = 1.0
                right[i, j] = 2.0

    @T.prim_func
    def depends_on_data(left: T.Buffer((16,), "float32")):
        for i in range(16):
            if left[i] < 0.0:
                left[i] += 1.0
            if left[i] < 0.0:
                left[i] = 0.0

    @T.prim_func
    def depends_on_data_merged_wrongly(left: T.Buffer((16,), "float32")):
        for i in range(16):
            if left[i] < 0.0:
                left[i] += 1.0
                left[i] = 0.0
