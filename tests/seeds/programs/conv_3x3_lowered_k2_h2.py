# Two 3x3 convolutions, lowered, with twice the tile: 64 output channels and two bands of eight rows at a time, with a
# third band for the rows below. As scheduled, it reads past the end of the caches; a check must find it.
@T.prim_func
def main(
    image: T.Buffer((1, 64, 64, 128), "float32"),
    weights_a: T.Buffer((4, 4, 3, 3, 8, 32, 4), "float32"),
    weights_b: T.Buffer((4, 4, 3, 3, 8, 32, 4), "float32"),
    result: T.Buffer((1, 8, 8, 4, 8, 8, 32), "float32"),
):
    T.func_attr({"tir.noalias": True})
    between_memory = T.allocate([196608], "float32", "global")
    band_memory = T.allocate([196608], "float32", "global")
    slice_memory = T.allocate([73728], "float32", "global")
    pixels = T.decl_buffer((524288,), data=image.data)
    slices_a = T.decl_buffer((147456,), data=weights_a.data)
    slices_b = T.decl_buffer((147456,), data=weights_b.data)
    packed = T.decl_buffer((524288,), data=result.data)
    between = T.decl_buffer((196608,), data=between_memory)
    band = T.decl_buffer((196608,), data=band_memory)
    weights = T.decl_buffer((73728,), data=slice_memory)
    sums = T.decl_buffer((65536,), data=band_memory)
    for kb, rows in T.grid(2, 4):
        for slice, below in T.grid(2, 2):
            for part in range(3):
                if part // 2 + below + rows < 4:
                    for column, c, y, x, lane in T.grid(8, 4, 8, 8, 32):
                        band[(((part * 8 + column) * 4 + c) * 64 + y * 8 + x) * 32 + lane] = pixels[
                            ((((rows + below) * 2 + part) * 8 + y) * 64 + column * 8 + x) * 128 + c * 32 + lane
                        ]
            for at in range(73728):
                weights[at] = slices_a[slice * 73728 + at]
            for inner, half, column in T.grid(2, 2, 8):
                if below * 2 + half < 3:
                    for pixel, k in T.grid(64, 32):
                        between[((((below * 2 + half) * 8 + column) * 4 + slice * 2 + inner) * 64 + pixel) * 32 + k] = 0.0
                if below * 2 + half < 3:
                    if below + rows < 4:
                        for c, y, x, dy, dx, k, lane in T.grid(4, 8, 8, 3, 3, 32, 32):
                            down: T.int32 = y + dy
                            right: T.int32 = x + dx
                            tile: T.int32 = ((below * 2 + half) * 8 + column) * 4 + slice * 2 + inner
                            target: T.int32 = (tile * 64 + y * 8 + x) * 32 + k
                            between[target] = (
                                between[target]
                                + band[
                                    ((((down // 8 + half) * 8 + right // 8 + column) * 4 + c) * 64 + down % 8 * 8 + right % 8) * 32
                                    + lane
                                ]
                                * weights[(((((inner * 4 + c) * 3 + dy) * 3 + dx) * 8 + lane // 4) * 32 + k) * 4 + lane % 4]
                            )
        for at in range(73728):
            weights[at] = slices_b[kb * 73728 + at]
        for inner, half, column in T.grid(2, 2, 8):
            for pixel, k in T.grid(64, 32):
                sums[(((half * 8 + column) * 2 + inner) * 64 + pixel) * 32 + k] = 0.0
            for c, y, x, dy, dx, k, lane in T.grid(4, 8, 8, 3, 3, 32, 32):
                down: T.int32 = y + dy
                right: T.int32 = x + dx
                target: T.int32 = (((half * 8 + column) * 2 + inner) * 64 + y * 8 + x) * 32 + k
                sums[target] = (
                    sums[target]
                    + between[
                        ((((down // 8 + half) * 8 + right // 8 + column) * 4 + c) * 64 + down % 8 * 8 + right % 8) * 32 + lane
                    ]
                    * weights[(((((inner * 4 + c) * 3 + dy) * 3 + dx) * 8 + lane // 4) * 32 + k) * 4 + lane % 4]
                )
        for inner, half, column, pixel, k in T.grid(2, 2, 8, 64, 32):
            packed[((((rows * 2 + half) * 8 + column) * 4 + kb * 2 + inner) * 64 + pixel) * 32 + k] = sums[
                (((half * 8 + column) * 2 + inner) * 64 + pixel) * 32 + k
            ]
