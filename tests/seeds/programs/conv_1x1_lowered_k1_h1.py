# Two 1x1 convolutions, lowered: 32 output channels and a band of eight rows at a time. The band of the image and one
# slice of the weights are copied into caches; the second convolution writes into the cache of the first one's input.
@T.prim_func
def main(
    image: T.Buffer((1, 64, 64, 128), "float32"),
    weights_a: T.Buffer((4, 4, 1, 1, 8, 32, 4), "float32"),
    weights_b: T.Buffer((4, 4, 1, 1, 8, 32, 4), "float32"),
    result: T.Buffer((1, 8, 8, 4, 8, 8, 32), "float32"),
):
    T.func_attr({"tir.noalias": True})
    between_memory = T.allocate([65536], "float32", "global")
    band_memory = T.allocate([65536], "float32", "global")
    slice_memory = T.allocate([4096], "float32", "global")
    pixels = T.decl_buffer((524288,), data=image.data)
    slices_a = T.decl_buffer((16384,), data=weights_a.data)
    slices_b = T.decl_buffer((16384,), data=weights_b.data)
    packed = T.decl_buffer((524288,), data=result.data)
    between = T.decl_buffer((65536,), data=between_memory)
    band = T.decl_buffer((65536,), data=band_memory)
    weights = T.decl_buffer((4096,), data=slice_memory)
    sums = T.decl_buffer((16384,), data=band_memory)
    for kb, rows in T.grid(4, 8):
        for slice in range(4):
            for column, c, y, x, lane in T.grid(8, 4, 8, 8, 32):
                band[(((column * 4 + c) * 8 + y) * 8 + x) * 32 + lane] = pixels[
                    ((rows * 8 + y) * 64 + column * 8 + x) * 128 + c * 32 + lane
                ]
            for at in range(4096):
                weights[at] = slices_a[slice * 4096 + at]
            for column in range(8):
                for pixel, k in T.grid(64, 32):
                    between[((column * 4 + slice) * 64 + pixel) * 32 + k] = 0.0
                for c, pixel, k, lane in T.grid(4, 64, 32, 32):
                    target: T.int32 = ((column * 4 + slice) * 64 + pixel) * 32 + k
                    between[target] = (
                        between[target]
                        + band[((column * 4 + c) * 64 + pixel) * 32 + lane] * weights[((c * 8 + lane // 4) * 32 + k) * 4 + lane % 4]
                    )
        for at in range(4096):
            weights[at] = slices_b[kb * 4096 + at]
        for column in range(8):
            for pixel, k in T.grid(64, 32):
                sums[(column * 64 + pixel) * 32 + k] = 0.0
            for c, pixel, k, lane in T.grid(4, 64, 32, 32):
                target: T.int32 = (column * 64 + pixel) * 32 + k
                sums[target] = (
                    sums[target]
                    + between[((column * 4 + c) * 64 + pixel) * 32 + lane] * weights[((c * 8 + lane // 4) * 32 + k) * 4 + lane % 4]
                )
        for column, pixel, k in T.grid(8, 64, 32):
            packed[(((rows * 8 + column) * 4 + kb) * 64 + pixel) * 32 + k] = sums[(column * 64 + pixel) * 32 + k]
