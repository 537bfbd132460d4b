# Two 3x3 convolutions without padding: 64 x 64 gives 62 x 62 gives 60 x 60. The result is packed in tiles of 8 x 8
# pixels; the cells of its last tiles that no pixel falls on are left as they were.
@T.prim_func
def main(
    image: T.Buffer((1, 64, 64, 128), "float32"),
    weights_a: T.Buffer((4, 4, 3, 3, 8, 32, 4), "float32"),
    weights_b: T.Buffer((4, 4, 3, 3, 8, 32, 4), "float32"),
    result: T.Buffer((1, 8, 8, 4, 8, 8, 32), "float32"),
):
    between = T.alloc_buffer((62, 62, 128), "float32")
    for y, x, k in T.grid(62, 62, 128):
        between[y, x, k] = T.float32(0)
        for block, dy, dx, lane in T.grid(4, 3, 3, 32):
            between[y, x, k] += (
                image[0, y + dy, x + dx, block * 32 + lane] * weights_a[k // 32, block, dy, dx, lane // 4, k % 32, lane % 4]
            )
    for y, x, k in T.grid(60, 60, 128):
        result[0, y // 8, x // 8, k // 32, y % 8, x % 8, k % 32] = T.float32(0)
        for block, dy, dx, lane in T.grid(4, 3, 3, 32):
            result[0, y // 8, x // 8, k // 32, y % 8, x % 8, k % 32] += (
                between[y + dy, x + dx, block * 32 + lane] * weights_b[k // 32, block, dy, dx, lane // 4, k % 32, lane % 4]
            )
