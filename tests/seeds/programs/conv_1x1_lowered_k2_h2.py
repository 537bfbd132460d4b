# Two 1x1 convolutions, lowered, with twice the tile: 64 output channels and two bands of eight rows at a time.
@T.prim_func
def main(
    image: T.Buffer((1, 64, 64, 128), "float32"),
    weights_a: T.Buffer((4, 4, 1, 1, 8, 32, 4), "float32"),
    weights_b: T.Buffer((4, 4, 1, 1, 8, 32, 4), "float32"),
    result: T.Buffer((1, 8, 8, 4, 8, 8, 32), "float32"),
):
    T.func_attr({"tir.noalias": True})
    between_memory = T.allocate([131072], "float32", "global")
    band_memory = T.allocate([131072], "float32", "global")
    slice_memory = T.allocate([8192], "float32", "global")
    pixels = T.decl_buffer((524288,), data=image.data)
    slices_a = T.decl_buffer((16384,), data=weights_a.data)
    slices_b = T.decl_buffer((16384,), data=weights_b.data)
    packed = T.decl_buffer((524288,), data=result.data)
    between = T.decl_buffer((131072,), data=between_memory)
    band = T.decl_buffer((131072,), data=band_memory)
    weights = T.decl_buffer((8192,), data=slice_memory)
    sums = T.decl_buffer((65536,), data=band_memory)
    for kb, rows in T.grid(2, 4):
        for slice in range(2):
            for half, column, c, y, x, lane in T.grid(2, 8, 4, 8, 8, 32):
                band[((((half * 8 + column) * 4 + c) * 8 + y) * 8 + x) * 32 + lane] = pixels[
                    (((rows * 2 + half) * 8 + y) * 64 + column * 8 + x) * 128 + c * 32 + lane
                ]
            for at in range(8192):
                weights[at] = slices_a[slice * 8192 + at]
            for inner, half, column in T.grid(2, 2, 8):
                for pixel, k in T.grid(64, 32):
                    between[(((half * 8 + column) * 4 + slice * 2 + inner) * 64 + pixel) * 32 + k] = 0.0
                for c, pixel, k, lane in T.grid(4, 64, 32, 32):
                    tile: T.int32 = (half * 8 + column) * 4
                    target: T.int32 = ((tile + slice * 2 + inner) * 64 + pixel) * 32 + k
                    between[target] = (
                        between[target]
                        + band[((tile + c) * 64 + pixel) * 32 + lane]
                        * weights[(((inner * 4 + c) * 8 + lane // 4) * 32 + k) * 4 + lane % 4]
                    )
        for at in range(8192):
            weights[at] = slices_b[kb * 8192 + at]
        for inner, half, column in T.grid(2, 2, 8):
            for pixel, k in T.grid(64, 32):
                sums[(((half * 8 + column) * 2 + inner) * 64 + pixel) * 32 + k] = 0.0
            for c, pixel, k, lane in T.grid(4, 64, 32, 32):
                target: T.int32 = (((half * 8 + column) * 2 + inner) * 64 + pixel) * 32 + k
                sums[target] = (
                    sums[target]
                    + between[(((half * 8 + column) * 4 + c) * 64 + pixel) * 32 + lane]
                    * weights[(((inner * 4 + c) * 8 + lane // 4) * 32 + k) * 4 + lane % 4]
                )
        for inner, half, column, pixel, k in T.grid(2, 2, 8, 64, 32):
            packed[((((rows * 2 + half) * 8 + column) * 4 + kb * 2 + inner) * 64 + pixel) * 32 + k] = sums[
                (((half * 8 + column) * 2 + inner) * 64 + pixel) * 32 + k
            ]
