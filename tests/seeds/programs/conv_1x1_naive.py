# Two 1x1 convolutions in the plain order of their definition. The image is row, column, channel; the weights are
# packed as (out / 32, in / 32, row, column, in % 32 / 4, out % 32, in % 4), the result as
# (1, row / 8, column / 8, channel / 32, row % 8, column % 8, channel % 32).
@T.prim_func
def main(
    image: T.Buffer((1, 64, 64, 128), "float32"),
    weights_a: T.Buffer((4, 4, 1, 1, 8, 32, 4), "float32"),
    weights_b: T.Buffer((4, 4, 1, 1, 8, 32, 4), "float32"),
    result: T.Buffer((1, 8, 8, 4, 8, 8, 32), "float32"),
):
    between = T.alloc_buffer((64, 64, 128), "float32")
    for y, x, k in T.grid(64, 64, 128):
        between[y, x, k] = T.float32(0)
        for c in range(128):
            between[y, x, k] += image[0, y, x, c] * weights_a[k // 32, c // 32, 0, 0, c % 32 // 4, k % 32, c % 4]
    for y, x, k in T.grid(64, 64, 128):
        result[0, y // 8, x // 8, k // 32, y % 8, x % 8, k % 32] = T.float32(0)
        for c in range(128):
            result[0, y // 8, x // 8, k // 32, y % 8, x % 8, k % 32] += (
                between[y, x, c] * weights_b[k // 32, c // 32, 0, 0, c % 32 // 4, k % 32, c % 4]
            )
