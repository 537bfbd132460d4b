# Buffers in other layouts, and flattened: to one axis, and to two where a separator says so.
@I.ir_module
class PhysicalLayouts:
    @T.prim_func
    def two_axes(x: T.Buffer((64, 128), "float32")):
        x[20, 23] = x[10, 15] + 7.0

    @T.prim_func
    def two_axes_flat(x: T.Buffer((8192,), "float32")):
        x[20 * 128 + 23] = x[10 * 128 + 15] + 7.0

    @T.prim_func
    def transposed(x: T.Buffer((128, 64), "float32")):
        x[23, 20] = x[15, 10] + 7.0

    @T.prim_func
    def channels_last(x: T.Buffer((16, 64, 64, 128), "float32"), y: T.Buffer((16, 64, 64, 128), "float32")):
        for n, h, w, c in T.grid(16, 64, 64, 128):
            y[n, h, w, c] = x[n, h, w, c]

    @T.prim_func
    def channels_packed(x: T.Buffer((16, 64, 64, 128), "float32"), y: T.Buffer((16, 32, 64, 64, 4), "float32")):
        for n, block, h, w, lane in T.grid(16, 32, 64, 64, 4):
            y[n, block, h, w, lane] = x[n, h, w, block * 4 + lane]

    @T.prim_func
    def texture(x: T.Buffer((16, 32, 64, 64, 4), "float32", axis_separators=[3]), y: T.Buffer((1,), "float32")):
        y[0] = x[11, 101 // 4, 37, 23, 101 % 4]

    @T.prim_func
    def texture_flat(x: T.Buffer((32768, 256), "float32", axis_separators=[1]), y: T.Buffer((1,), "float32")):
        y[0] = x[(11 * 32 + 101 // 4) * 64 + 37, 23 * 4 + 101 % 4]

    @T.prim_func
    def vectors_of_cells(x: T.Buffer((64,), "float32"), y: T.Buffer((16,), "float32x4")):
        fours = T.decl_buffer((16,), "float32x4", data=x.data)
        for i in range(16):
            y[i] = fours[i] + x[i * 4 : i * 4 + 4]

    @T.prim_func
    def cells_of_vectors(x: T.Buffer((16,), "float32x4"), y: T.Buffer((64,), "float32")):
        cells = T.decl_buffer((64,), "float32", data=x.data)
        pairs = T.decl_buffer((32,), "float32x2", data=x.data)
        for i in range(32):
            y[T.ramp(i * 2, 1, 2)] = pairs[i]
        for i in range(64):
            y[i] += cells[i]
