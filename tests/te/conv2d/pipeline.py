# Two convolutions, one after the other, over packed tensors: the Hexagon document's schedules, for any split of
# channels and height and any size of filter.
from tvm import te

BLOCK_H, BLOCK_W, BLOCK_C = 8, 8, 32


def up(x, block):
    return (x + block - 1) // block


def conv2d(data, filter, name, height, width, channels, size):
    """nhwc8h8w32c * oihw8i32o4i -> nhwc8h8w32c, stride 1, no padding of its own."""
    _, _, _, co, _, _, ci = data.shape
    # The sum is one over blocks, filter and channels of a block, in this order: reordered, a sum of floats is another one.
    rco, rci = te.reduce_axis((0, co), name="rc.outer"), te.reduce_axis((0, ci), name="rc.inner")
    rh, rw = te.reduce_axis((0, size), name="rh"), te.reduce_axis((0, size), name="rw")

    def compute(n, ho, wo, ko, hi, wi, ki):
        h, w = ho * BLOCK_H + hi + rh, wo * BLOCK_W + wi + rw
        # What a tile has beyond the input is computed of its last rows and columns, and means nothing.
        h, w = (te.min(x, last) if size > 1 else x for x, last in ((h, height - 1), (w, width - 1)))
        return te.sum(
            data[n, h // BLOCK_H, w // BLOCK_W, rco, h % BLOCK_H, w % BLOCK_W, rci]
            * filter[ko, rco, rh, rw, rci // 4, ki, rci % 4], axis=[rco, rh, rw, rci])

    out_h, out_w = height - size + 1, width - size + 1
    shape = (1, up(out_h, BLOCK_H), up(out_w, BLOCK_W), channels // BLOCK_C, BLOCK_H, BLOCK_W, BLOCK_C)
    return te.compute(shape, compute, name=name)


def convolutions(size, height, width, channels):
    data = te.placeholder((1, height, width, channels), name="logical_input")
    blocks = channels // BLOCK_C
    filters = [te.placeholder((blocks, blocks, size, size, 8, 32, 4), name=f"packed_filter{k}") for k in (1, 2)]
    packed = te.compute(
        (1, up(height, BLOCK_H), up(width, BLOCK_W), blocks, BLOCK_H, BLOCK_W, BLOCK_C),
        lambda n, ho, wo, co, hi, wi, ci: data[n, ho * BLOCK_H + hi, wo * BLOCK_W + wi, co * BLOCK_C + ci],
        name="packed_input")
    temp = conv2d(packed, filters[0], "temp_output", height, width, channels, size)
    out = conv2d(temp, filters[1], "packed_output", height - size + 1, width - size + 1, channels, size)
    return data, filters, (packed, temp, out)


def schedule(size, k_split, h_split, height=64, width=64, channels=128):
    data, filters, (packed, temp, out) = convolutions(size, height, width, channels)
    s = te.create_schedule(out.op)
    s[packed].compute_inline()
    cached_input = s.cache_read(packed, "global", [temp])
    cached = [s.cache_read(f, "global", [reader]) for f, reader in zip(filters, (temp, out))]
    local = s.cache_write(out, "global")

    # conv2d #2: h_split rows of tiles, k_split blocks of channels at a time
    n, ho, wo, ko, hi, wi, ki = s[out].op.axis
    koo, koi = s[out].split(ko, factor=k_split)
    hoo, hoi = s[out].split(ho, factor=h_split)
    s[out].reorder(n, koo, hoo, koi, hoi, wo, hi, wi, ki)
    s[local].compute_at(s[out], hoo)
    n, ho, wo, ko, hi, wi, ki = s[local].op.axis
    rco, rh, rw, rci = s[local].op.reduce_axis
    s[local].reorder(n, ko, ho, wo, rco, hi, wi, rh, rw, ki, rci)

    # conv2d #1: all of its channels, which conv2d #2 reads
    s[temp].compute_at(s[out], hoo)
    n, ho, wo, ko, hi, wi, ki = s[temp].op.axis
    rco, rh, rw, rci = s[temp].op.reduce_axis
    koo_1, koi_1 = s[temp].split(ko, factor=k_split)
    hoo_1, hoi_1 = s[temp].split(ho, factor=h_split)
    s[temp].reorder(n, koo_1, hoo_1, koi_1, hoi_1, wo, rco, hi, wi, rh, rw, ki, rci)

    s[cached_input].compute_at(s[temp], hoo_1)
    s[cached[0]].compute_at(s[temp], hoo_1)
    s[cached[1]].compute_at(s[out], hoo)
    return s, [data, *filters, out]


def schedule_by_rows(size, k_split, h_split, height=64, width=64, channels=128):
    """The same, in slices of rows from the top to the bottom: each slice of the input is loaded once, and each of what
    the second convolution reads computed once, since their windows slide."""
    data, filters, (packed, temp, out) = convolutions(size, height, width, channels)
    s = te.create_schedule(out.op)
    s[packed].compute_inline()
    cached_input = s.cache_read(packed, "global", [temp])
    cached = [s.cache_read(f, "global", [reader]) for f, reader in zip(filters, (temp, out))]
    local = s.cache_write(out, "global")

    n, ho, wo, ko, hi, wi, ki = s[out].op.axis
    koo, koi = s[out].split(ko, factor=k_split)
    hoo, hoi = s[out].split(ho, factor=h_split)
    s[out].reorder(n, hoo, koo, koi, hoi, wo, hi, wi, ki)
    s[local].compute_at(s[out], koo)
    n, ho, wo, ko, hi, wi, ki = s[local].op.axis
    rco, rh, rw, rci = s[local].op.reduce_axis
    s[local].reorder(n, ko, ho, wo, rco, hi, wi, rh, rw, ki, rci)

    s[temp].compute_at(s[out], hoo)
    s[temp].rolling_buffer()
    n, ho, wo, ko, hi, wi, ki = s[temp].op.axis
    rco, rh, rw, rci = s[temp].op.reduce_axis
    koo_1, koi_1 = s[temp].split(ko, factor=k_split)
    s[temp].reorder(n, koo_1, ho, koi_1, wo, rco, hi, wi, rh, rw, ki, rci)

    s[cached_input].compute_at(s[out], hoo)
    s[cached_input].rolling_buffer()
    s[cached[0]].compute_at(s[temp], koo_1)
    s[cached[1]].compute_at(s[out], koo)
    return s, [data, *filters, out]
