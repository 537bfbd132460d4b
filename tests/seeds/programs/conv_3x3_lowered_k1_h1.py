# Two 3x3 convolutions, lowered: 32 output channels and a band of eight rows at a time; the rows below the band come
# from a second band. As scheduled, it reads past the end of the caches: in the last column of tiles `column + 1` is no
# tile, and below the last band nothing was copied. A check must find both.
@T.prim_func
def main(
    image: T.Buffer((1, 64, 64, 128), "float32"),
    weights_a: T.Buffer((4, 4, 3, 3, 8, 32, 4), "float32"),
    weights_b: T.Buffer((4, 4, 3, 3, 8, 32, 4), "float32"),
    result: T.Buffer((1, 8, 8, 4, 8, 8, 32), "float32"),
):
    T.func_attr({"tir.noalias": True})
    between_memory = T.allocate([131072], "float32", "global")
    band_memory = T.allocate([131072], "float32", "global")
    slice_memory = T.allocate([36864], "float32", "global")
    pixels = T.decl_buffer((524288,), data=image.data)
    slices_a = T.decl_buffer((147456,), data=weights_a.data)
    slices_b = T.decl_buffer((147456,), data=weights_b.data)
    packed = T.decl_buffer((524288,), data=result.data)
    between = T.decl_buffer((131072,), data=between_memory)
    band = T.decl_buffer((131072,), data=band_memory)
    weights = T.decl_buffer((36864,), data=slice_memory)
    sums = T.decl_buffer((16384,), data=band_memory)
    for kb, rows in T.grid(4, 8):
        for slice, below in T.grid(4, 2):
            for part in range(2):
                if rows + below + part < 8:
                    for column, c, y, x, lane in T.grid(8, 4, 8, 8, 32):
                        band[(((part * 8 + column) * 4 + c) * 64 + y * 8 + x) * 32 + lane] = pixels[
                            (((rows + below + part) * 8 + y) * 64 + column * 8 + x) * 128 + c * 32 + lane
                        ]
            for at in range(36864):
                weights[at] = slices_a[slice * 36864 + at]
            for column in range(8):
                for pixel, k in T.grid(64, 32):
                    between[(((below * 8 + column) * 4 + slice) * 64 + pixel) * 32 + k] = 0.0
                if rows + below < 8:
                    for c, y, x, dy, dx, k, lane in T.grid(4, 8, 8, 3, 3, 32, 32):
                        down: T.int32 = y + dy
                        right: T.int32 = x + dx
                        target: T.int32 = (((below * 8 + column) * 4 + slice) * 64 + y * 8 + x) * 32 + k
                        between[target] = (
                            between[target]
                            + band[(((down // 8 * 8 + right // 8 + column) * 4 + c) * 64 + down % 8 * 8 + right % 8) * 32 + lane]
                            * weights[((((c * 3 + dy) * 3 + dx) * 8 + lane // 4) * 32 + k) * 4 + lane % 4]
                        )
        for at in range(36864):
            weights[at] = slices_b[kb * 36864 + at]
        for column in range(8):
            for pixel, k in T.grid(64, 32):
                sums[(column * 64 + pixel) * 32 + k] = 0.0
            for c, y, x, dy, dx, k, lane in T.grid(4, 8, 8, 3, 3, 32, 32):
                down: T.int32 = y + dy
                right: T.int32 = x + dx
                target: T.int32 = (column * 64 + y * 8 + x) * 32 + k
                sums[target] = (
                    sums[target]
                    + between[(((down // 8 * 8 + right // 8 + column) * 4 + c) * 64 + down % 8 * 8 + right % 8) * 32 + lane]
                    * weights[((((c * 3 + dy) * 3 + dx) * 8 + lane // 4) * 32 + k) * 4 + lane % 4]
                )
        for column, pixel, k in T.grid(8, 64, 32):
            packed[(((rows * 8 + column) * 4 + kb) * 64 + pixel) * 32 + k] = sums[(column * 64 + pixel) * 32 + k]
